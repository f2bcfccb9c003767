/// Common Hebrew given names and surnames with their Latin spellings, compiled for this module.
enum HebrewNames {
    static let readings = NameReadings(
        """
        דוד:david/dovid/dawid משה:moshe/moses/mosche יוסף:yosef/joseph/yossef/josef אברהם:avraham/abraham/avrohom
        יצחק:yitzhak/isaac/itzhak/yitzchak/izhak יעקב:yaakov/jacob/yaacov/jakob שרה:sarah/sara רבקה:rivka/rebecca/rivkah
        רחל:rachel/rahel לאה:leah/lea מרים:miriam/miryam/mirjam אסתר:ester/esther שלמה:shlomo/solomon שמואל:shmuel/samuel
        דניאל:daniel/danielle מיכאל:michael/mikhael גבריאל:gabriel/gavriel רפאל:rafael/raphael/refael אליהו:eliyahu/elijah
        ישראל:israel/yisrael בנימין:binyamin/benjamin/benyamin יהודה:yehuda/judah/yehudah ראובן:reuven/reuben
        שמעון:shimon/simon/simeon לוי:levi/levy נתן:natan/nathan אהרן:aharon/aaron אהרון:aharon/aaron יהונתן:yehonatan/jonathan
        יונתן:yonatan/jonathan יונה:yona/jonah/yonah נועה:noa/noah נועם:noam נח:noach/noah אדם:adam חוה:chava/eve/hava
        תמר:tamar מיכל:michal/mihal יעל:yael/jael שירה:shira מאיה:maya הדס:hadas ענת:anat אורית:orit רונית:ronit
        גלית:galit דליה:dalia/dahlia דפנה:dafna/daphna טל:tal גל:gal עמית:amit עידן:idan איתי:itay/itai אורי:ori/uri
        אורן:oren רועי:roi/roy/roee עומר:omer/omar גיא:guy ניר:nir רון:ron רונן:ronen עופר:ofer אלון:alon איל:eyal/ayal
        אייל:eyal/ayal ליאור:lior מאיר:meir חיים:chaim/haim/hayim/chayim צבי:zvi/tzvi/tsvi זאב:zeev/ze'ev דב:dov אריה:arie/aryeh/arieh
        אריאל:ariel שרון:sharon בן:ben בת:bat בר:bar כהן:cohen/kohen/cohn/kahn מזרחי:mizrahi/mizrachi פרץ:peretz/perez
        ביטון:biton/bitton דהן:dahan אזולאי:azoulay/azulai/azulay מלכה:malka פרידמן:friedman/fridman כץ:katz/kats
        גולדברג:goldberg רוזנברג:rosenberg שפירא:shapira/shapiro וייס:weiss/vais קליין:klein גרינברג:greenberg/grinberg
        לוין:levin/lewin/levine שחר:shachar/shahar גרוס:gross בלום:blum/bloom שטרן:stern/shtern ברק:barak/barack
        נתניהו:netanyahu בגין:begin רבין:rabin פרס:peres גוריון:gurion מאיה:maya אסף:asaf/assaf אבי:avi יוסי:yossi/yosi
        דני:dani/danny/dany רמי:rami/ramy משה:moishe חנה:hana/hannah/chana/hanna/channah רות:rut/ruth נעמי:naomi/noemi
        אביגיל:avigail/abigail יהודית:yehudit/judith עדי:adi עדן:eden ליאת:liat שני:shani/shany קרן:keren ורד:vered
        שלום:shalom אביב:aviv חיפה:haifa/chaifa ירושלים:yerushalayim/jerusalem תל:tel אילת:eilat/elat גורג:george/jorge
        עמוס:amos יואב:yoav/joav גדעון:gideon אוריאל:uriel/oriel עוז:oz אשר:asher נחמן:nachman/nahman מנחם:menachem/menahem
        פנחס:pinchas/pinhas אלעזר:elazar/eleazar יחזקאל:yechezkel/yehezkel/ezekiel ישעיהו:yeshayahu/isaiah ירמיהו:yirmiyahu/jeremiah
        עזרא:ezra נחמיה:nechemia/nehemia/nehemiah יפתח:yiftach/iftach שאול:shaul/saul ברוך:baruch/barukh שמחה:simcha/simha
        יובל:yuval/juval עפרה:ofra יפית:yafit אורנה:orna ציפי:tzipi/tsipi/zipi גילה:gila רינה:rina/rena מרדכי:mordechai/mordehai
        אלכסנדר:alexander מרק:mark/marc בוריס:boris ולדימיר:vladimir סרגיי:sergey/sergei מריה:maria אנה:anna/ana
        """)
}
