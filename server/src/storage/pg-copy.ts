/** Sends a stream of rows (pg-rows.ts) with the statement that takes it, as one query of the driver. */
import pg from 'pg';

/** In milliseconds. The driver reads it from each query; its types do not know it. */
interface Patience {
  readonly query_timeout?: number;
}

/** Gives how many rows were added. */
export function sendRows(client: pg.ClientBase, text: string, messages: Buffer, patience: Patience): Promise<number> {
  return new Promise((resolve, reject) => {
    const query = new CopyQuery(text, (fault, result) => {
      if (fault) reject(fault);
      else resolve(result.rowCount ?? 0);
    });
    client.query(Object.assign(query, patience, { messages }));
  });
}

/**
 * The rows leave right behind the statement, without waiting to be asked for them, like all that is started together:
 * should the server refuse the statement, it passes over them.
 */
class CopyQuery extends pg.Query {
  declare readonly text: string;
  readonly messages: Buffer = Buffer.alloc(0);

  override submit = (connection: pg.Connection): null => {
    connection.query(this.text);
    connection.stream.write(this.messages);
    return null;
  };

  /** The driver calls it when the server asks for the rows. They are on their way. */
  handleCopyInResponse(): void {}
}
