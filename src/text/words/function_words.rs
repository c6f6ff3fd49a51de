//! Function words: the words that a language needs to join others, which carry little topic.
//!
//! Stop words are left out of the index altogether; these are searchable, but weigh little. They also identify the
//! language of a text. All are folded: in lower case and without marks.

/// English function words that are no stop words, sorted for binary search.
#[rustfmt::skip]
pub(super) const ENGLISH: &[&str] = &[
    "above", "across", "after", "afterwards", "against", "ago", "all", "almost", "along", "already",
    "although", "always", "among", "another", "any", "anyone", "anything", "around", "away", "back",
    "because", "before", "behind", "below", "beneath", "beside", "besides", "between", "beyond", "both",
    "down", "during", "each", "either", "else", "ever", "every", "everyone", "everything", "few", "further",
    "however", "instead", "less", "may", "maybe", "more", "most", "near", "neither", "never", "nor",
    "nothing", "now", "off", "often", "once", "one", "ones", "only", "other", "others", "otherwise", "out",
    "over", "own", "per", "perhaps", "please", "quite", "rather", "really", "same", "several", "since",
    "some", "someone", "something", "sometimes", "somewhere", "soon", "still", "such", "though", "through",
    "throughout", "thus", "till", "together", "toward", "towards", "under", "unless", "until", "up", "upon",
    "us", "via", "well", "whatever", "whenever", "wherever", "whether", "while", "within", "without", "yes",
    "yet",
];

/// Function words of other languages: German, French, Spanish, Italian, Portuguese, Dutch, Swedish.
#[rustfmt::skip]
pub(super) const OTHERS: [&str; 7] = [
    "der die das und ist nicht ein eine einen einem einer eines den dem des im in zu zur zum mit auf fur \
     von vom bei beim nach vor aus an am als auch es er sie wir ihr ich du man mich mir dich dir uns euch \
     sich so wie was wer wen wem wo wann warum wenn dass ob oder aber nur noch schon sehr kein keine \
     keinen keiner uber unter zwischen durch gegen ohne um bis seit wird werden wurde wurden hat haben \
     hatte sind war waren sein bin kann kannst konnen konnte soll sollen sollte muss mussen musst darf \
     durfen diese dieser dieses diesen dann da immer nie niemals hier dort mehr alle alles allen jede \
     jeder jedes jeden bevor nachdem wahrend wieder ab ins ans damit dazu davon danach dafur weil denn \
     doch mal ja nein bitte mein meine dein deine unser unsere ihre seine tun etwas nichts beide sowie \
     statt wegen trotz",
    "le la les un une des du de et est sont pas ne ni que qui quoi dont ou au aux en dans sur sous avec \
     sans pour par entre vers chez ce cet cette ces il elle ils elles on nous vous je tu se sa son ses \
     leur leurs mon ma mes ton ta tes notre nos votre vos mais donc car si quand comme comment pourquoi \
     combien plus moins tres toujours jamais deja encore apres avant pendant depuis jusque tout tous \
     toute toutes chaque aussi etre avoir fait faire doit doivent peut peuvent ete avait ai as avons avez \
     ont etait meme rien quelque quelques lors afin puis ici lorsque",
    "el la los las un una unos unas de del al y e o u es son no ni que quien quienes cual cuales como \
     cuando donde porque por para con sin sobre entre hasta desde en a se su sus mi mis tu tus nos \
     nuestro nuestra lo le les me te si pero mas menos muy siempre nunca jamas ya todavia despues antes \
     durante todo todos toda todas cada tambien ser estar esta estan este esto estos estas ese eso esa \
     hay ha han he fue debe deben puede pueden nada algo algunos otra otro otros hacia segun mientras \
     aqui",
    "il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal \
     dalla dai dalle in nel nello nella nei negli nelle su sul sulla sui sulle con per tra fra e ed o ma \
     non che chi cui quale quali come quando dove perche se si mi ti ci vi ne suo sua suoi sue mio mia \
     tuo tua nostro nostra loro questo questa questi queste quello quella piu meno molto sempre mai gia \
     ancora dopo prima durante tutto tutti tutta tutte ogni anche essere avere sono ha hanno deve devono \
     puo possono era stato niente qualche senza verso fino",
    "o a os as um uma uns umas de do da dos das em no na nos nas ao aos por pelo pela pelos pelas para \
     com sem sobre entre ate desde e ou mas nao nem que quem qual quais como quando onde porque se seu \
     sua seus suas meu minha teu tua nosso nossa lhe lhes me te isso isto este esta estes estas esse essa \
     aquele mais menos muito sempre nunca jamais ja ainda depois antes durante tudo todo todos toda todas \
     cada tambem ser estar sao foi tem ha deve devem pode podem era nada algum alguns outra outro outros \
     voce voces eu ele ela eles elas",
    "de het een en is zijn niet geen van voor met op aan in uit naar bij om te tot door over onder tussen \
     tegen zonder dat die dit deze dan als maar of want omdat wanneer waar wie wat hoe waarom welke ik \
     jij je hij zij ze wij we jullie u hun hen haar mijn jouw uw ons onze er hier daar nog al ook wel \
     zeer meer minder altijd nooit na voordat nadat tijdens sinds elke elk ieder iedere alle alles wordt \
     worden werd heeft hebben had kan kunnen moet moeten mag mogen zal zullen zou niets iets",
    "och att det som en ett den de i pa av med for till fran om inte ar var har hade kan ska skall maste \
     bor vid under over mellan efter fore innan utan mot genom nar dar hur varfor vem vad vilken vilka \
     jag du han hon vi ni dem oss er sig sin sitt sina min mitt mina din ditt deras vara blir blev eller \
     men sa samt alla allt varje mer mindre alltid aldrig redan annu ocksa bara mycket nagon nagot inga \
     ingen inget denna detta dessa ej sedan tills heller",
];
