/** Small list files with invented names, in the exact shapes in which the lists are published. */

export const SDN_CSV = `101,"KORVATHIN, Belarin Tomask",individual,"SDGT"," -0- "," -0- "," -0- "," -0- "," -0- "," -0- "," -0- ","DOB 18 Mar 1964; alt. DOB 1963; POB Nowhere; nationality Egypt; Gender Male; a.k.a. 'ABU TOMASK'."
102,"ZELMARINE HOLDING, S.A."," -0- ","CUBA"," -0- "," -0- "," -0- "," -0- "," -0- "," -0- "," -0- "," -0- "
103,"SEA WANDERER","vessel","IRAN"," -0- ","ABCD"," Cargo "," -0- "," -0- ","Iran"," -0- "," -0- "
\u001a`;
export const ALT_CSV = `101,9001,"aka","KORVATIN, Belarin"," -0- "
103,9002,"fka","OCEAN WANDERER"," -0- "
\u001a`;
export const ADD_CSV = `101,7001,"1 Made-up Street","Cairo","Egypt"," -0- "
102,7002," -0- ","Havana","Cuba"," -0- "
\u001a`;

export const SDN_XML = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://tempuri.org/sdnList.xsd">
  <publshInformation><Publish_Date>11/10/2026</Publish_Date><Record_Count>3</Record_Count></publshInformation>
  <sdnEntry>
    <uid>101</uid><firstName>Belarin Tomask</firstName><lastName>KORVATHIN</lastName><sdnType>Individual</sdnType>
    <programList><program>SDGT</program></programList>
    <akaList>
      <aka><uid>9001</uid><type>a.k.a.</type><category>strong</category><lastName>KORVATIN</lastName><firstName>Belarin</firstName></aka>
      <aka><uid>9002</uid><type>a.k.a.</type><category>weak</category><lastName>ABU TOMASK</lastName></aka>
    </akaList>
    <addressList><address><uid>7001</uid><city>Cairo</city><country>Egypt</country></address></addressList>
    <nationalityList><nationality><uid>1</uid><country>Korea, North</country><mainEntry>true</mainEntry></nationality></nationalityList>
    <dateOfBirthList><dateOfBirthItem><uid>2</uid><dateOfBirth>circa 1964</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem></dateOfBirthList>
  </sdnEntry>
  <sdnEntry><uid>102</uid><lastName>ZELMARINE &amp; SONS</lastName><sdnType>Entity</sdnType></sdnEntry>
  <sdnEntry><uid>103</uid><lastName>SEA WANDERER</lastName><sdnType>Vessel</sdnType></sdnEntry>
</sdnList>
`;

export const UN_XML = `<?xml version="1.0" encoding="utf-8"?>
<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" dateGenerated="2026-11-10T00:00:00">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>6900001</DATAID><VERSIONNUM>1</VERSIONNUM>
      <FIRST_NAME>BELARIN</FIRST_NAME><SECOND_NAME>TOMASK</SECOND_NAME><THIRD_NAME>KORVATHIN</THIRD_NAME>
      <UN_LIST_TYPE>Al-Qaida</UN_LIST_TYPE><REFERENCE_NUMBER>QDi.901</REFERENCE_NUMBER><LISTED_ON>2020-01-01</LISTED_ON>
      <NAME_ORIGINAL_SCRIPT>بلرين كرفثين</NAME_ORIGINAL_SCRIPT>
      <NATIONALITY><VALUE>Syrian Arab Republic</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Belarin Korvatin</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Abu Tomask</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ADDRESS><COUNTRY>Iraq</COUNTRY></INDIVIDUAL_ADDRESS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1964-03-18</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1960</FROM_YEAR><TO_YEAR>1963</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
    </INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES>
    <ENTITY>
      <DATAID>6900002</DATAID><FIRST_NAME>ZELMARINE HOLDING</FIRST_NAME><REFERENCE_NUMBER>QDe.902</REFERENCE_NUMBER>
      <ENTITY_ALIAS><QUALITY>a.k.a.</QUALITY><ALIAS_NAME>Zelmarin Group</ALIAS_NAME></ENTITY_ALIAS>
      <ENTITY_ADDRESS><COUNTRY>Yemen</COUNTRY></ENTITY_ADDRESS>
    </ENTITY>
  </ENTITIES>
</CONSOLIDATED_LIST>
`;

/** The columns that the reader looks at, among the others around them. */
const EU_COLUMNS = [
  'fileGenerationDate',
  'Entity_LogicalId',
  'Entity_EU_ReferenceNumber',
  'Entity_SubjectType',
  'NameAlias_LastName',
  'NameAlias_FirstName',
  'NameAlias_MiddleName',
  'NameAlias_WholeName',
  'NameAlias_Remark',
  'Address_City',
  'Address_CountryIso2Code',
  'BirthDate_BirthDate',
  'BirthDate_Day',
  'BirthDate_Month',
  'BirthDate_Year',
  'BirthDate_YearRangeFrom',
  'BirthDate_YearRangeTo',
  'BirthDate_Circa',
  'Citizenship_CountryIso2Code',
];

const euRow = (cells: Readonly<Record<string, string>>): string =>
  EU_COLUMNS.map((column) => cells[column] ?? (column === 'fileGenerationDate' ? '10/11/2026' : '')).join(';');

const PERSON = { Entity_LogicalId: '13', Entity_EU_ReferenceNumber: 'EU.27.28', Entity_SubjectType: 'P' };

export const EU_CSV = `\uFEFF${EU_COLUMNS.join(';')}
${euRow({ ...PERSON, NameAlias_WholeName: 'Belarin Tomask Korvathin' })}
${euRow({ ...PERSON, NameAlias_WholeName: '"Abu; Tomask"', NameAlias_Remark: 'low quality a.k.a.' })}
${euRow({ ...PERSON, BirthDate_BirthDate: '1964-03-18', BirthDate_Day: '18', BirthDate_Month: '3', BirthDate_Year: '1964' })}
${euRow({ ...PERSON, BirthDate_Year: '1961', BirthDate_Circa: 'true' })}
${euRow({ ...PERSON, Citizenship_CountryIso2Code: 'IQ' })}
${euRow({ ...PERSON, Address_CountryIso2Code: '00' })}
${euRow({ Entity_LogicalId: '14', Entity_SubjectType: 'E', NameAlias_LastName: 'Zelmarine Holding', Address_CountryIso2Code: 'SY' })}
`;
