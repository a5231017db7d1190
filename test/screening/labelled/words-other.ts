/** Chinese, Greek, Spanish, West African and English names, and words of businesses. */

/** Sign and its sound; each sound once, so that two names differ in Latin letters too. */
export const CHINESE_FAMILIES = `王Wang 李Li 张Zhang 刘Liu 陈Chen 杨Yang 黄Huang 赵Zhao 吴Wu 周Zhou 徐Xu 孙Sun 马Ma 朱Zhu 胡Hu 郭Guo 何He 高Gao 林Lin
  罗Luo 郑Zheng 梁Liang 谢Xie 宋Song 唐Tang 许Xu 韩Han 冯Feng 邓Deng 曹Cao 彭Peng 曾Zeng 肖Xiao 田Tian 董Dong 潘Pan 袁Yuan 蔡Cai 蒋Jiang
  余Yu 于Yu 杜Du 叶Ye 程Cheng 魏Wei 苏Su 吕Lv 丁Ding 任Ren 卢Lu 姚Yao 沈Shen 钟Zhong 姜Jiang 崔Cui 谭Tan 陆Lu 范Fan 汪Wang 廖Liao`;
export const CHINESE_SYLLABLES = `明Ming 伟Wei 芳Fang 强Qiang 磊Lei 军Jun 洋Yang 勇Yong 艳Yan 杰Jie 娟Juan 涛Tao 超Chao 霞Xia 平Ping 刚Gang 桂Gui 英Ying
  华Hua 玉Yu 兰Lan 春Chun 红Hong 建Jian 国Guo 志Zhi 海Hai 文Wen 晓Xiao 东Dong 成Cheng 龙Long 波Bo 宁Ning 天Tian 佳Jia 美Mei 雪Xue
  思Si 雨Yu 峰Feng 林Lin 云Yun 亮Liang 福Fu 荣Rong 德De 凯Kai 毅Yi 泽Ze 子Zi 豪Hao 庆Qing 山Shan 书Shu 嘉Jia 瑞Rui 康Kang`;

export const GREEK_GIVEN = `Γεώργιος:Georgios:Yeoryios Δημήτριος:Dimitrios:Demetrios:Dimitris Κωνσταντίνος:Konstantinos:Constantinos:Konstandinos
  Ιωάννης:Ioannis:Joannis:Ioannes Νικόλαος:Nikolaos:Nicolaos Χρήστος:Christos:Hristos Παναγιώτης:Panagiotis:Panayiotis Βασίλειος:Vasileios:Vassilios
  Αθανάσιος:Athanasios:Athanassios Μιχαήλ:Michail:Mihail Ευάγγελος:Evangelos:Evaggelos Σπυρίδων:Spyridon:Spiridon Ελένη:Eleni:Heleni
  Μαρία:Maria Αικατερίνη:Aikaterini:Ekaterini Βασιλική:Vasiliki:Vassiliki Σοφία:Sofia:Sophia Άννα:Anna Γεωργία:Georgia`;
export const GREEK_ROOTS = `Παπαδ:Papad Γιανν:Giann Νικολα:Nikola Καρα:Kara Μαυρ:Mavr Κωστ:Kost Αλεξ:Alex Βασιλ:Vasil Χριστ:Christ Δημητρ:Dimitr Πετρ:Petr
  Στεφαν:Stefan Αντων:Anton Θεοδωρ:Theodor Λαμπρ:Lampr Μιχαλ:Michal Σταυρ:Stavr Ραπτ:Rapt Σαμαρ:Samar Τσακ:Tsak Φιλιππ:Filipp Ζαχαρ:Zachar
  Κοντ:Kont Μακρ:Makr Οικονομ:Oikonom Περδικ:Perdik Ρουσ:Rous Σκορδ:Skord Τριαντ:Triant Χατζ:Chatz Ψαρ:Psar Βλαχ:Vlach`;
export const GREEK_ENDINGS = `όπουλος:opoulos ίδης:idis άκης:akis άτος:atos έλλης:ellis άρης:aris`;

export const SPANISH_GIVEN = `José Juan Carlos Luis Miguel Jorge Francisco Manuel Antonio Pedro Ricardo Fernando Eduardo Roberto Alejandro Héctor Raúl
  Óscar Andrés Rubén Ramón Enrique Sergio Gustavo Ángel Javier Rafael Mauricio Iván Julián Hugo Nicolás Germán Álvaro Joaquín María Ana Carmen
  Rosa Patricia Gabriela Claudia Lucía Verónica Mónica Beatriz Inés Sofía Pilar Dolores`;
export const SPANISH_FAMILIES = `García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz Reyes Morales
  Cruz Ortiz Gutiérrez Chávez Ramos Ruiz Álvarez Mendoza Vásquez Castillo Jiménez Moreno Romero Herrera Medina Aguilar Vargas Castro Guzmán
  Méndez Fernández Salazar Muñoz Soto Delgado Rojas Contreras Núñez Peña Ríos Silva Suárez Cabrera Campos Vega Carrillo Fuentes Cárdenas
  Espinoza Valencia Zúñiga Cordero Maldonado Navarro Pacheco Quintero Villarreal Zambrano Arellano Beltrán Cifuentes Escobedo Figueroa
  Galindo Ibarra Jaramillo Lozano Montoya Ochoa Palacios Quiñones Restrepo Sepúlveda Trujillo Urrutia Velasco Yáñez Zapata Bermúdez
  De_la_Cruz De_León Del_Río De_la_Torre`;

export const WESTERN_GIVEN = `James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Mark Donald Steven
  Andrew Kenneth George Joshua Kevin Brian Edward Ronald Emmanuel Samuel Chukwuemeka Oluwaseun Babatunde Kwame Kofi Kwabena Amadou Mamadou
  Ousmane Ibrahima Cheikhou Abdoulaye Chinedu Obinna Ngozi Adaeze Folasade Akosua Abena Aminata Fatoumata Mary Patricia Jennifer Linda Elizabeth
  Susan Jessica Margaret Sarah Karen Nancy Philippe Laurent Thierry Sébastien François Émile Günter Jürgen Søren Łukasz`;
export const WESTERN_FAMILIES = `Okafor Adeyemi Okonkwo Balogun Adebayo Nwosu Eze Obi Chukwu Oyelaran Mensah Owusu Boateng Asante Agyeman Appiah Diallo Traoré
  Coulibaly Keïta Konaté Sissoko Cissé Diop Ndiaye Sarr Faye Gueye Kamara Sesay Koroma Johnson Williams Brown Jones Miller Davis Wilson
  Anderson Taylor Moore Jackson Thompson White Harris Clark Lewis Robinson Walker Young Wright Hughes Edwards Collins Stewart Morris Rogers Reed
  Cook Morgan Bell Murphy Bailey Cooper Richardson Watson Brooks Wood Bennett Gray Hamilton Graham Sullivan Fitzgerald O'Brien O'Connor MacDonald
  McCarthy Müller Schröder Schäfer Königsberg Lefèvre Dubois Moreau Girard Fournier Lindqvist Sørensen Bjørnstad Wójcik Kowalczyk Szymański
  Nakamura Takahashi Yamamoto Kobayashi Wiśniewski Dąbrowski Horváth Szabó Novák Dvořák`;

export const BUSINESS_NAMES = `Aurora Baltika Cedar Delphin Emirat Falcon Granit Horizon Iskra Jasmin Karavan Lazurit Meridian Neptun Orion Phoenix Quasar Rubin Saturn
  Titan Ural Vostok Zenit Almaz Borealis Crescent Damask Euphrat Fenix Galaxia Hermes Imperial Jubilee Kaspian Levant Mirage Nile Oasis Pegas
  Qamar Rafidain Sahara Tigris Unicorn Vega Wadi Yarmouk Zagros Altair Byblos Cascade Dnepr Elbrus Ferrous Golestan Helios Ishtar Jordan Kerman
  Lotus Mazandaran Nairobi Omdurman Palmyra Rainbow Shiraz Tabriz Ulan Volga Yenisei Zarya Amber Bastion Corvus Drakon Everest Frigate`;
export const BUSINESS_SECTORS = `Trading Shipping Industries Petroleum Energy Bank Holding Logistics Electronics Engineering Construction Investment Metals Chemicals
  Textiles Aviation Telecom Mining Foods Insurance Pharmaceuticals Machinery Transport Security Consulting`;
export const BUSINESS_FORMS = [
  'LLC',
  'Ltd',
  'Limited',
  'Co. Ltd.',
  'JSC',
  'OOO',
  'FZE',
  'GmbH',
  'S.A.',
  'Inc.',
  'Company',
  'L.L.C.',
];
