/** The codes of aviation reports in words: weather, clouds, groups of forecasts, warnings, gaps. */

import { words } from "../words.js";

/** Codes of data as sentences; an unknown code is said as it is. */
export const code = words({
  ko: {
    VFR: "시계비행 (VFR)",
    MVFR: "제한 시계비행 (MVFR)",
    IFR: "계기비행 (IFR)",
    LIFR: "저고도 계기비행 (LIFR)",
    FEW: "조금 (FEW)",
    SCT: "절반 이하 (SCT)",
    BKN: "절반 이상 (BKN)",
    OVC: "온통 (OVC)",
    SKC: "맑음 (SKC)",
    CLR: "맑음 (CLR)",
    CB: "적란운",
    TCU: "탑상적운",
    BECMG: "점차 바뀜 (BECMG)",
    TEMPO: "일시적 (TEMPO)",
    NOSIG: "큰 변화 없음 (NOSIG)",
    FM: "이때부터 (FM)",
    PROB30: "확률 30% (PROB30)",
    PROB40: "확률 40% (PROB40)",
    PROB30_TEMPO: "확률 30%, 일시적 (PROB30 TEMPO)",
    PROB40_TEMPO: "확률 40%, 일시적 (PROB40 TEMPO)",
    METAR: "정시 관측 (METAR)",
    SPECI: "특별 관측 (SPECI)",
    AMENDMENT: "수정 (AMD)",
    CORRECTION: "정정 (COR)",
    UPWARD: "나아지는 중",
    DOWNWARD: "나빠지는 중",
    NO_CHANGE: "변화 없음",
    TX: "최고",
    TN: "최저",
    WIND_SHEAR: "급변풍",
    LOW_VISIBILITY: "저시정",
    STRONG_WIND: "강풍",
    HEAVY_RAIN: "호우",
    LOW_CEILING: "구름고도",
    THUNDERSTORM: "뇌우",
    TYPHOON: "태풍",
    HEAVY_SNOW: "대설",
    YELLOW_DUST: "황사",
    OTHER: "기타",
    UNKNOWN: "알 수 없는 종류",
  },
  en: {
    FEW: "few (FEW)",
    SCT: "scattered (SCT)",
    BKN: "broken (BKN)",
    OVC: "overcast (OVC)",
    SKC: "clear (SKC)",
    CLR: "clear (CLR)",
    CB: "cumulonimbus",
    TCU: "towering cumulus",
    BECMG: "becoming (BECMG)",
    TEMPO: "temporarily (TEMPO)",
    NOSIG: "no significant change (NOSIG)",
    FM: "from (FM)",
    PROB30: "30% probability (PROB30)",
    PROB40: "40% probability (PROB40)",
    PROB30_TEMPO: "30% probability, temporarily (PROB30 TEMPO)",
    PROB40_TEMPO: "40% probability, temporarily (PROB40 TEMPO)",
    METAR: "routine report (METAR)",
    SPECI: "special report (SPECI)",
    AMENDMENT: "amended (AMD)",
    CORRECTION: "corrected (COR)",
    UPWARD: "improving",
    DOWNWARD: "getting worse",
    NO_CHANGE: "no change",
    TX: "highest",
    TN: "lowest",
    WIND_SHEAR: "wind shear",
    LOW_VISIBILITY: "low visibility",
    STRONG_WIND: "strong wind",
    HEAVY_RAIN: "heavy rain",
    LOW_CEILING: "low ceiling",
    THUNDERSTORM: "thunderstorm",
    TYPHOON: "typhoon",
    HEAVY_SNOW: "heavy snow",
    YELLOW_DUST: "yellow dust",
    OTHER: "other",
    UNKNOWN: "unknown kind",
  },
});

/** Weather by WMO's table 4678, and its descriptors and intensities. */
export const phenomenon = words({
  ko: {
    "+": "강한", "-": "약한", VC: "부근의",
    MI: "얕은", BC: "흩어진", PR: "부분적인", DR: "낮게 날린", BL: "높게 날린",
    SH: "소낙성", TS: "뇌전", FZ: "어는",
    DZ: "이슬비", RA: "비", SN: "눈", SG: "쌀알눈", PL: "얼음싸라기", IC: "얼음 결정", GR: "우박",
    GS: "작은 우박", UP: "알 수 없는 강수", BR: "박무", FG: "안개", FU: "연기", VA: "화산재",
    DU: "먼지", SA: "모래", HZ: "연무", PO: "먼지 회오리", SQ: "스콜", FC: "용오름", SS: "모래 폭풍",
    DS: "먼지 폭풍",
  },
  en: {
    "+": "heavy", "-": "light", VC: "in the vicinity:",
    MI: "shallow", BC: "patches of", PR: "partial", DR: "low drifting", BL: "blowing",
    SH: "showers of", TS: "thunderstorm", FZ: "freezing",
    DZ: "drizzle", RA: "rain", SN: "snow", SG: "snow grains", PL: "ice pellets", IC: "ice crystals",
    GR: "hail", GS: "small hail", UP: "unknown precipitation", BR: "mist", FG: "fog", FU: "smoke",
    VA: "volcanic ash", DU: "dust", SA: "sand", HZ: "haze", PO: "dust whirls", SQ: "squall",
    FC: "funnel cloud", SS: "sandstorm", DS: "duststorm",
  },
});

/** Names of parts that a report lacks. */
export const gap = words({
  ko: {
    wind: "바람", wind_direction: "풍향", wind_speed: "풍속", visibility: "시정", rvr: "활주로 가시거리",
    weather: "일기", recent_weather: "지난 일기", clouds: "구름", cloud_base: "구름 높이",
    vertical_visibility: "수직시정", temperature: "기온", air: "기온", dewpoint: "이슬점", qnh: "기압",
    wind_shear: "급변풍", runway_state: "활주로 상태", sea: "해면", trend: "경향",
  },
  en: {
    wind_direction: "wind direction", wind_speed: "wind speed", rvr: "runway visual range",
    recent_weather: "recent weather", cloud_base: "cloud base", air: "temperature",
    vertical_visibility: "vertical visibility", dewpoint: "dew point", qnh: "pressure",
    wind_shear: "wind shear", runway_state: "runway state",
  },
});

/** The airports that KMA reports on, as people call them; the data have names in English. */
export const airport = words({
  ko: {
    RKSI: "인천", RKSS: "김포", RKPC: "제주", RKPK: "김해", RKNY: "양양", RKNW: "원주", RKTU: "청주",
    RKTN: "대구", RKTH: "포항경주", RKJJ: "광주", RKJB: "무안", RKJY: "여수", RKPU: "울산",
    RKPS: "사천", RKJK: "군산",
  },
  en: {
    RKSI: "Incheon", RKSS: "Gimpo", RKPC: "Jeju", RKPK: "Gimhae", RKNY: "Yangyang", RKNW: "Wonju",
    RKTU: "Cheongju", RKTN: "Daegu", RKTH: "Pohang Gyeongju", RKJJ: "Gwangju", RKJB: "Muan",
    RKJY: "Yeosu", RKPU: "Ulsan", RKPS: "Sacheon", RKJK: "Gunsan",
  },
});
