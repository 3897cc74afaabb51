"""Words that gates look for: month names, words of scale, and labels that are no translation.

Words are beginnings, so that endings of case do not hide them; what is not listed is not held
against a rendering. The months of Indian languages are spellings of the English names.
"""

from functools import cache

import regex

from bench_pipeline.text import fold_characters

#: month → the beginnings of its name; English ones first
_MONTHS = {
    1: "january जनवर जानेवार जान्युआर জানুয়ার জানুৱাৰ জানুৱার જાન્યુઆર ਜਨਵਰ ଜାନୁଆର ଜାନୁୟାର "
    "ஜனவர జనవర ಜನವರ ജനുവര جنوری جنوري",
    2: "february फ़रवर फरवर फेब्रुवार फेब्रुअर ফেব্রুয়ার ফেব্ৰুৱাৰ ফেব্রুৱার ફેબ્રુઆર ਫ਼ਰਵਰ ਫਰਵਰ "
    "ଫେବୃଆର ଫେବ୍ରୁଆର பிப்ரவர ఫిబ్రవర ಫೆಬ್ರವರ ಫೆಬ್ರುವರ ഫെബ്രുവര فروری فيبروري",
    3: "march मार्च মার্চ মাৰ্চ માર્ચ ਮਾਰਚ ମାର୍ଚ୍ଚ ମାର୍ଚ மார்ச் మార్చి ಮಾರ್ಚ್ മാർച്ച مارچ",
    4: "april अप्रैल एप्रिल अप्रिल এপ্রিল এপ্ৰিল એપ્રિલ ਅਪ੍ਰੈਲ ଅପ୍ରେଲ ଏପ୍ରିଲ ஏப்ரல ఏప్రిల ಏಪ್ರಿಲ ഏപ്രിൽ اپریل اپريل",
    6: "june जून জুন জুন જૂન ਜੂਨ ଜୁନ ஜூன் జూన్ ಜೂನ್ ജൂൺ جون",
    7: "july जुलाई जुलै जुलाइ जुलाय জুলাই જુલાઈ ਜੁਲਾਈ ଜୁଲାଇ ஜூலை జూలై జులై ಜುಲೈ ജൂലൈ جولائی جولاءِ",
    8: "august अगस्त ऑगस्ट अगस्ट আগস্ট আগষ্ট ઓગસ્ટ ਅਗਸਤ ଅଗଷ୍ଟ ஆகஸ்ட ఆగస్ట ಆಗಸ್ಟ್ ഓഗസ്റ്റ اگست آگسٽ",
    9: "september सितंबर सितम्बर सप्टेंबर सेप्टेम्बर সেপ্টেম্বর ছেপ্টেম্বৰ સપ્ટેમ્બર ਸਤੰਬਰ ସେପ୍ଟେମ୍ବର "
    "செப்டம்பர் సెప్టెంబర ಸೆಪ್ಟೆಂಬರ್ സെപ്റ്റംബർ സെപ്തംബർ ستمبر سيپٽمبر",
    10: "october अक्टूबर अक्तूबर ऑक्टोबर अक्टोबर অক্টোবর অক্টোবৰ ઓક્ટોબર ਅਕਤੂਬਰ ଅକ୍ଟୋବର "
    "அக்டோபர் అక్టోబర ಅಕ್ಟೋಬರ್ ഒക്ടോബർ اکتوبر آڪٽوبر",
    11: "november नवंबर नवम्बर नोव्हेंबर नोभेम्बर নভেম্বর নৱেম্বৰ નવેમ્બર ਨਵੰਬਰ ନଭେମ୍ବର நவம்பர் నవంబర "
    "ನವೆಂಬರ್ നവംബർ نومبر",
    12: "december दिसंबर दिसम्बर डिसेंबर डिसेम्बर ডিসেম্বর ডিচেম্বৰ ડિસેમ્બર ਦਸੰਬਰ ଡିସେମ୍ବର டிசம்பர் "
    "డిసెంబర ಡಿಸೆಂಬರ್ ഡിസംബർ دسمبر ڊسمبر",
}
#: power of ten → the beginnings of its word, read only right after digits
_SCALES = {
    3: "thousand हज़ार हजार সহস্র হাজার হাজাৰ હજાર ਹਜ਼ਾਰ ହଜାର ஆயிர వేల వేయి ಸಾವಿರ ആയിര ہزار هزار",
    5: "lakh लाख लक्ष লাখ লক্ষ લાખ ਲੱਖ ଲକ୍ଷ லட்ச இலட்ச లక్ష ಲಕ್ಷ ലക്ഷ لاکھ لک",
    6: "million मिलियन দশলক্ষ মিলিয়ন নিযুত মিলিয়ন મિલિયન ਮਿਲੀਅਨ ମିଲିୟନ மில்லியன మిలియన ಮಿಲಿಯನ್ "
    "ദശലക്ഷ മില്യൺ ملین",
    7: "crore करोड़ करोड कोट কোটি কোটী કરોડ ਕਰੋੜ କୋଟି கோடி కోటి కోట్ల ಕೋಟಿ കോടി کروڑ ڪروڙ",
    9: "billion बिलियन अरब अब्ज বিলিয়ন বিলিয়ন અબજ બિલિયન ਅਰਬ ଅରବ பில்லியன బిలియన ಬಿಲಿಯನ್ ബില്യൺ ارب بلین",
}
#: words for "translation": what ends in a colon after one of them is no question
_TRANSLATION = (
    "अनुवाद भाषांतर भाषान्तर অনুবাদ অনুবাদটি ভাষান্তৰ અનુવાદ ભાષાંતર ਅਨੁਵਾਦ ଅନୁବାଦ மொழிபெயர்ப்பு అనువాదం "
    "ಅನುವಾದ വിവർത്തനം പരിഭാഷ ترجمہ ترجمو translation"
)
#: words for "question": with a colon right after them they are a label
_QUESTION = "प्रश्न सवाल প্রশ্ন প্ৰশ্ন પ્રશ્ન ਸਵਾਲ ਪ੍ਰਸ਼ਨ ପ୍ରଶ୍ନ கேள்வி வினா ప్రశ్న ಪ್ರಶ್ನೆ ചോദ്യം سوال question"
#: words for "answer" and "note": with a colon after them they are no part of a question
_TAILS = (
    "उत्तर जवाब टिप्पणी टीप नोट উত্তর উত্তৰ টীকা দ্রষ্টব্য জবাব ઉત્તર જવાબ નોંધ ਜਵਾਬ ਉੱਤਰ ਨੋਟ ଉତ୍ତର ଟିପ୍ପଣୀ "
    "பதில் விடை குறிப்பு సమాధానం జవాబు గమనిక ಉತ್ತರ ಟಿಪ್ಪಣಿ ഉത്തരം കുറിപ്പ് جواب نوٹ نوٽ answer note explanation"
)
_COLON = r"\s*(?:[\*_\"']+\s*)?[:：]"


@cache
def month_names() -> list[tuple[int, str]]:
    """Every beginning of a month's name, folded, with its month."""
    return [(month, fold_characters(w)) for month, words in _MONTHS.items() for w in words.split()]


@cache
def scale_words() -> list[tuple[int, str]]:
    """Every beginning of a word of scale, folded, with its power of ten; the longest first."""
    found = [(p, fold_characters(w)) for p, words in _SCALES.items() for w in words.split()]
    return sorted(found, key=lambda pair: -len(pair[1]))


@cache
def head_pattern() -> "regex.Pattern[str]":
    """A heading over the whole of a folded text, as in "here is the translation:"."""
    heading = (
        rf"[^:：?\n]{{0,40}}?(?<![\p{{L}}\p{{M}}]){_any(_TRANSLATION)}(?:\s[^:：?\n]{{0,25}})?"
    )
    return regex.compile(rf"^(?:{heading}|[\s\*_]*{_any(_QUESTION)}(?:\s\d{{1,3}})?){_COLON}")


@cache
def tail_pattern() -> "regex.Pattern[str]":
    """A label inside a folded text that starts something other than a question."""
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}]){_any(_TAILS)}{_COLON}")


def _any(words: str) -> str:
    folded = sorted({fold_characters(word) for word in words.split()}, key=lambda w: -len(w))
    return "(?:" + "|".join(map(regex.escape, folded)) + ")"
