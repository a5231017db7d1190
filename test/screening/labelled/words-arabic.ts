/** Arabic names: in their own script, then the spellings in Latin letters that are in use for each. */

export const GIVEN = `
  محمد Mohammed Muhammad Mohamed Mohammad Mohamad
  أحمد Ahmed Ahmad Ahmet
  علي Ali Aly
  حسن Hassan Hasan
  حسين Hussein Husayn Hussain Husain Hossein
  يوسف Yusuf Youssef Yousef Yousuf
  إبراهيم Ibrahim Ebrahim Ibraheem
  خالد Khaled Khalid
  عمر Omar Umar Omer
  مصطفى Mustafa Mostafa Moustapha
  محمود Mahmoud Mahmud Mahmood
  سعيد Said Saeed Sayeed
  طارق Tariq Tarek Tareq
  جمال Jamal Gamal Djamal
  كريم Karim Kareem
  رشيد Rashid Rachid Rasheed
  ناصر Nasser Nasir Naser
  فيصل Faisal Faysal Feisal
  سليمان Suleiman Sulayman Soliman Sulaiman
  زياد Ziad Ziyad
  وليد Walid Waleed Oualid
  هشام Hisham Hicham Hesham
  بلال Bilal Belal
  ياسين Yassin Yasin Yaseen
  منصور Mansour Mansur Mansoor
  صالح Saleh Salih Salah
  جعفر Jaafar Jafar Djafar
  مروان Marwan Marouane
  فاروق Farouk Faruq Farooq
  قاسم Qasim Kassem Qassem
  شريف Sharif Cherif Shareef
  نبيل Nabil Nabeel
  لطيف Latif Lateef
  منير Munir Mounir Muneer
  بشير Bashir Bachir Basheer
  زهير Zuhair Zoheir Zuhayr
  عباس Abbas Abas
  فؤاد Fuad Fouad Foad
  أيمن Ayman Aymen
  أسامة Osama Usama Oussama
  فاطمة Fatima Fatimah Fatma
  زينب Zainab Zaynab Zeinab
  عائشة Aisha Aicha Ayesha
  ليلى Layla Leila Laila
  مريم Mariam Maryam Meriem
`;

export const SERVANTS = `
  عبد_الرحمن Abdul_Rahman Abdulrahman Abd_al-Rahman Abdelrahman Abdurrahman
  عبد_الله Abdullah Abdallah Abd_Allah
  عبد_العزيز Abdul_Aziz Abdulaziz Abd_al-Aziz Abdelaziz
  عبد_الكريم Abdul_Karim Abdulkarim Abd_al-Karim Abdelkrim
  عبد_القادر Abdul_Qadir Abdulkadir Abd_al-Qadir Abdelkader
  عبد_المجيد Abdul_Majid Abdulmajid Abd_al-Majid Abdelmadjid
`;

export const FAMILIES = `
  المصري al-Masri Almasri El_Masry al-Misri
  التكريتي al-Tikriti Tikriti Al_Tikriti
  البغدادي al-Baghdadi Baghdadi El_Baghdadi
  الدوري al-Douri al-Duri Al_Doori
  الحربي al-Harbi Alharbi El_Harbi
  الشمري al-Shammari Alshammari Al_Shamari
  القحطاني al-Qahtani Alqahtani Al_Kahtani
  العتيبي al-Otaibi Alotaibi al-Utaybi
  الغامدي al-Ghamdi Alghamdi El_Ghamdi
  الزهراني al-Zahrani Alzahrani Al_Zahrany
  المطيري al-Mutairi Almutairi al-Mutayri
  الحداد al-Haddad Haddad El_Haddad
  النجار al-Najjar Najjar El_Naggar
  الخطيب al-Khatib Alkhatib El_Khatib
  الصباغ al-Sabbagh Sabbagh El_Sabbagh
  الحلبي al-Halabi Halabi El_Halaby
  الدمشقي al-Dimashqi Dimashqi El_Dimashki
  السوري al-Suri al-Souri Alsouri
  اليمني al-Yamani Yamani El_Yamany
  الليبي al-Libi Allibi El_Libi
  التونسي al-Tunisi Tounsi El_Tounsi
  المغربي al-Maghribi Maghrabi El_Maghraby
  الجزائري al-Jazairi Djazairi El_Jazairi
  الفارسي al-Farsi Farsi Alfarisi
  الراوي al-Rawi Alrawi El_Rawi
  العاني al-Ani Alani El_Any
  الجبوري al-Jubouri Aljubouri al-Jaburi
  الدليمي al-Dulaimi Aldulaimi al-Dulaymi
  الكعبي al-Kaabi Alkaabi al-Kabi
  الموسوي al-Musawi Almoussawi al-Mousawi
  الحكيم al-Hakim Hakim El_Hakeem
  الصدر al-Sadr Sadr Alsadr
  الزبيدي al-Zubaidi Alzubaidi al-Zubaydi
  الهاشمي al-Hashimi Hashemi Al_Hashmi
  القرشي al-Qurashi Qureshi al-Kurashi
  الشهري al-Shehri Alshehri al-Shahri
  العمري al-Omari Alomari al-Umari
  البلوي al-Balawi Albalawi El_Balawy
  الرشيدي al-Rashidi Alrashidi El_Rashidy
  السالمي al-Salmi Alsalmi El_Salmi
  الكندي al-Kindi Alkindi El_Kendi
  الطائي al-Taie Altaee al-Tai
  الساعدي al-Saadi Alsaadi El_Saady
  الخزاعي al-Khuzai Alkhuzaie al-Khozai
  العبيدي al-Obaidi Alobaidi al-Ubaydi
  الفهد al-Fahd Alfahad El_Fahd
  الشامي al-Shami Alshami El_Chami
  الصنعاني al-Sanaani Sanani El_Sanaany
  الطرابلسي al-Trabelsi Trabelsi al-Tarabulsi
  البصري al-Basri Albasri El_Basry
  الكوفي al-Kufi Alkoufi El_Kufy
  النعيمي al-Nuaimi Alnuaimi al-Nuaymi
  المالكي al-Maliki Almaliki El_Malky
  الحسيني al-Husseini Alhusaini el-Hussainy
  الجندي al-Jundi Aljundi El_Gendy
  القاضي al-Qadi Alkadi El_Kady
  الطويل al-Tawil Altaweel El_Tawil
  الأسود al-Aswad Alaswad El_Aswad
  الأحمر al-Ahmar Alahmar El_Ahmar
  الأبيض al-Abyad Alabyad El_Abiad
`;
