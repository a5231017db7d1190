/** How a file is known in what callers send, where it is to be left out of what is kept or shown. */

/** The field that holds a file in every object that has one. */
export const FILE_FIELD = 'upload';
/** In every file that is sent as a text, under whatever name, also in JSON that was made a text. */
export const FILE_MARK = /;base64,/i;
