/// Common Arabic, Persian and Urdu names and places with their Latin spellings, compiled for this module.
enum ArabicNames {
    static let readings = NameReadings(
        """
        محمد:mohammed/muhammad/mohamed/mohammad/muhammed/mohamad/mehmet أحمد:ahmed/ahmad/ahmet محمود:mahmoud/mahmud/mahmood
        حامد:hamed/hamid حميد:hamid/hameed حمد:hamad علي:ali/aly حسن:hassan/hasan/hassen حسين:hussein/hussain/husain/hossein/husayn
        عمر:omar/umar/omer عثمان:othman/osman/uthman/usman أبو:abu/abou بكر:bakr/bakar خالد:khaled/khalid يوسف:youssef/yusuf/yousef/yousuf/yosef
        إبراهيم:ibrahim/ebrahim/brahim إسماعيل:ismail/ismael/esmail يعقوب:yaqub/yaqoub/yacoub موسى:musa/moussa/mousa/moosa
        عيسى:issa/isa/eisa داود:dawood/daoud/dawud داوود:dawood/daoud/dawud سليمان:suleiman/sulaiman/soliman/sulayman هارون:haroun/harun/haroon
        زكريا:zakaria/zakariya/zakariyya يحيى:yahya/yahia نوح:nuh/nouh آدم:adam/adem إدريس:idris/idriss أيوب:ayoub/ayub/ayyub
        صالح:saleh/salih/salah هود:hud/houd لوط:lut شعيب:shuaib/shoaib مصطفى:mustafa/mostafa/moustafa مرتضى:murtada/morteza/murtaza
        عبد:abd/abdul/abdel الله:allah عبدالله:abdullah/abdallah/abdulla عبدالرحمن:abdulrahman/abdelrahman/abdurrahman/abdulrahman
        عبدالعزيز:abdulaziz/abdelaziz عبدالكريم:abdulkarim/abdelkarim عبدالقادر:abdulqadir/abdelkader/abdulkadir رحمن:rahman
        الرحمن:alrahman/elrahman/arrahman الرحيم:alrahim/elrahim الكريم:alkarim/elkarim/alkareem العزيز:alaziz/elaziz القادر:alqadir/elkader
        كريم:karim/kareem رحيم:rahim/raheem عزيز:aziz قادر:qadir/kader/kadir سعيد:said/saeed/saeid سعد:saad/sad مسعود:masoud/masud/massoud
        سالم:salem/salim سليم:salim/saleem سلمان:salman سلمى:salma سلامة:salama/salameh فهد:fahd/fahad فيصل:faisal/faysal فارس:fares/faris
        فريد:farid/fareed فؤاد:fouad/fuad فتحي:fathi/fathy فاطمة:fatima/fatma/fatimah/fatemeh عائشة:aisha/aysha/ayesha/aicha
        خديجة:khadija/khadijah/khadiga زينب:zainab/zaynab/zeinab/zeynep مريم:maryam/mariam/meryem/miriam سارة:sara/sarah هدى:huda/hoda
        نور:nour/noor/nur نورا:noura/nora نورة:noura/nura ليلى:laila/leila/layla هند:hind هناء:hana/hanaa ندى:nada منى:mona/muna
        أمل:amal أمير:amir/ameer أميرة:amira/ameera أمين:amin/ameen إيمان:iman/eman أيمن:ayman/aiman أسامة:osama/usama أنس:anas أنور:anwar
        أشرف:ashraf أكرم:akram أسعد:asaad/assad أسد:asad/assad بشار:bashar بشير:bashir/basheer بدر:badr/bader باسم:bassem/basem/basim
        بلال:bilal/belal بهاء:baha/bahaa تامر:tamer/tamir طارق:tariq/tarek/tareq طه:taha طلال:talal ثامر:thamer جابر:jaber/jabir/gaber
        جاسم:jassim/jasim جعفر:jafar/jaafar/gaafar جلال:jalal/galal جمال:jamal/gamal جميل:jamil/jameel/gamil جميلة:jamila/jameela
        جواد:jawad/javad حاتم:hatem/hatim حبيب:habib/habeeb حمزة:hamza/hamzah حنان:hanan حيدر:haidar/haydar/haider خليل:khalil/khaleel
        خليفة:khalifa/khalifah دينا:dina/deena ديانا:diana راشد:rashed/rashid رشيد:rashid/rasheed/rachid رامي:rami/ramy رانيا:rania/ranya
        رضا:reda/rida/reza رياض:riyad/riad/riyadh الرياض:riyadh/alriyadh ريم:reem/rim زياد:ziad/ziyad/zyad زيد:zaid/zayd/zeid زين:zain/zein/zayn
        سامي:sami/samy سامر:samer/samir سمير:samir/sameer سميرة:samira/sameera سميح:samih شريف:sherif/sharif/shareef شادي:shadi/shady
        شاكر:shaker/shakir صدام:saddam صلاح:salah/saleh صفاء:safa/safaa ضياء:diaa/zia/dia عادل:adel/adil عامر:amer/amir عباس:abbas/abas
        عدنان:adnan عصام:essam/issam/isam عطية:atiya/attia/atia علاء:alaa/ala عماد:imad/emad عمار:ammar/amar عمرو:amr/amro غادة:ghada
        غسان:ghassan/gassan فادي:fadi/fady فوزي:fawzi/fawzy قاسم:qasim/kassem/qassem/kasim كمال:kamal/kemal كامل:kamel/kamil لطفي:lotfi/lutfi
        ماجد:majed/majid/maged مجدي:magdy/majdi محسن:mohsen/muhsin/mohsin مختار:mukhtar/mokhtar مدحت:medhat/midhat مراد:murad/mourad/morad
        معاذ:muath/moaz/muadh معتز:moataz/mutaz منصور:mansour/mansur/mansoor منير:munir/mounir/moneer مها:maha مهدي:mahdi/mehdi مؤمن:mumin/moamen
        نادر:nader/nadir نادية:nadia/nadya ناصر:nasser/nasir/naser نبيل:nabil/nabeel نجيب:najib/naguib/nagib نزار:nizar نسرين:nasrin/nasreen/nesrin
        نعيم:naim/naeem هاشم:hashem/hashim هاني:hani/hany هشام:hisham/hesham/hicham هالة:hala/hala وائل:wael/wail وليد:walid/waleed
        وسام:wissam/wisam ياسر:yasser/yasir/yaser ياسين:yassin/yasin/yaseen ياسمين:yasmin/yasmine/jasmine زهراء:zahra/zahraa زهرة:zahra/zohra
        شيماء:shaimaa/shayma دعاء:doaa/duaa إسراء:israa/esra آية:aya/ayah رحمة:rahma رنا:rana ريما:rima سناء:sana/sanaa شذى:shatha/shaza
        عبير:abeer/abir عزة:azza غدير:ghadir لمى:lama لينا:lina/leena مي:mai/may ميس:mais نهى:noha/nuha وفاء:wafa/wafaa هبة:heba/hiba
        بن:bin/ben ابن:ibn/bin بنت:bint حداد:haddad خوري:khoury/khouri نجار:najjar/naggar مصري:masri/masry مغربي:maghrebi/maghribi شامي:shami
        هاشمي:hashemi/hashimi خطيب:khatib/khateeb قاضي:qadi/kadi عراقي:iraqi حلبي:halabi سيد:sayed/syed/said/sayyid شيخ:sheikh/shaikh/cheikh
        حاج:haj/hajj زهراني:zahrani غامدي:ghamdi قحطاني:qahtani عتيبي:otaibi/utaybi شهري:shehri دوسري:dosari/dossary مطيري:mutairi
        صباح:sabah مبارك:mubarak/mobarak سيسي:sisi عرفات:arafat قذافي:gaddafi/qaddafi/kadhafi حريري:hariri درويش:darwish/darwich
        القاهرة:cairo/alqahira/qahira/kahira دبي:dubai/dubayy مكة:makkah/mecca/makka المدينة:madinah/medina/almadina بغداد:baghdad/bagdad
        دمشق:damascus/dimashq بيروت:beirut/bayrut عمان:amman/oman الكويت:kuwait/alkuwait الدوحة:doha/aldoha أبوظبي:abudhabi ظبي:dhabi
        جدة:jeddah/jidda/jedda الدار:dar/aldar البيضاء:casablanca/baida/albayda تونس:tunis/tounes الجزائر:algiers/aljazair/algeria طرابلس:tripoli/tarabulus
        الخرطوم:khartoum/alkhartum صنعاء:sanaa/sana القدس:jerusalem/alquds/quds الإسكندرية:alexandria/iskandariya شرم:sharm الشيخ:sheikh/alsheikh/elsheikh
        أربيل:erbil/arbil النجف:najaf/alnajaf البصرة:basra/albasra المنامة:manama/almanama مسقط:muscat/masqat الشارقة:sharjah/alshariqa
        تهران:tehran/teheran تبریز:tabriz شیراز:shiraz اصفهان:isfahan/esfahan مشهد:mashhad/meshed كراچی:karachi لاہور:lahore اسلام:islam آباد:abad
        رضایی:rezaei/rezai کریمی:karimi محمدی:mohammadi احمدی:ahmadi حسینی:hosseini/husseini موسوی:mousavi/moussavi هاشمی:hashemi جعفری:jafari
        فرهاد:farhad بهرام:bahram داریوش:dariush/darioush کوروش:kourosh/cyrus/koroush شیرین:shirin/shireen پروین:parvin پریسا:parisa مینا:mina
        سهراب:sohrab رستم:rostam/rustam فرزاد:farzad بهزاد:behzad نیما:nima آرش:arash سیاوش:siavash امید:omid/umid پیمان:peyman/payman
        خان:khan قریشی:qureshi/quraishi اقبال:iqbal/eqbal بھٹو:bhutto نواز:nawaz عمران:imran/omran/emran شہباز:shahbaz پرویز:parvez/pervez/parviz
        """)
}
