/** Every reason that a source's health can have; a test compares them with Python's. */

/** @type {Record<string, [string, string]>} Korean, English */
export const REASONS = {
  // No usable answer.
  busy_host: [
    "같은 서버의 다른 요청에 밀려 차례가 오지 않음",
    "other requests to the same host took all of the time",
  ],
  connect: ["서버에 연결되지 않음", "cannot connect to the server"],
  dns: ["주소(DNS)를 찾을 수 없음", "the host name cannot be resolved"],
  http_status: ["서버가 오류를 응답함", "the server answered with an error"],
  maintenance: ["점검 중 안내가 대신 나옴", "a maintenance page is shown instead"],
  network: [
    "게이트웨이에 닿지 않거나 응답이 깨짐",
    "the gateway cannot be reached, or its answer is not valid HTTP",
  ],
  protocol: ["응답이 HTTP 규칙에 맞지 않거나 중간에 끊김", "the answer breaks HTTP, or was cut"],
  robots_unreachable: ["robots.txt를 확인할 수 없음", "robots.txt does not answer"],
  timeout: ["제시간에 응답하지 않음", "no complete answer in time"],
  tls: ["안전한 연결(TLS)을 맺지 못함", "no safe connection (TLS)"],
  unavailable: [
    "응답할 수 없는 상태라고 함, 또는 대부분이 응답하지 않음",
    "it reports that it is unavailable, or most do not answer",
  ],
  no_data: ["게이트웨이에 자료가 없음", "the gateway has no data"],
  no_envelope: [
    "게이트웨이가 알 수 없는 형식으로 응답함",
    "the gateway's answer has an unknown form",
  ],
  // It does not want us.
  challenge: ["사람인지 확인하는 화면이 대신 나옴", "a bot challenge is shown instead"],
  forbidden: ["접근이 거부됨", "access is refused"],
  key: ["인증키가 거부됨", "the key is not accepted"],
  login: ["로그인 화면이 대신 나옴", "a login page is shown instead"],
  quota: ["오늘의 요청 한도를 넘음", "today's quota is spent"],
  robots: [
    "robots.txt가 이 주소를 허용하지 않음",
    "robots.txt forbids this address",
  ],
  // The page or the entry has to be looked at.
  all_rows_bad: ["목록의 어느 줄도 읽을 수 없음", "no row of the list can be read"],
  bad_address: ["주소가 잘못됨", "the address is wrong"],
  bad_encoding: ["압축을 풀 수 없음", "the content coding is broken"],
  bad_request: ["항목의 요청 설정이 잘못됨", "the request in the entry is wrong"],
  extractor_failed: ["텍스트 추출기가 실패함", "the text extractor failed"],
  ids_gone: ["아는 번호가 거의 모두 사라짐", "almost all known ids are missing"],
  ids_reused: ["번호가 다른 글로 옮겨 감", "ids moved to other notices"],
  same_ids: ["한 번호를 여러 글이 함께 씀", "one id stands for several notices"],
  landmark_missing: ["있어야 할 표시가 페이지에 없음", "an expected landmark is missing"],
  markup_bomb: ["읽는 쪽을 해치도록 만든 페이지", "the page is made to hurt its reader"],
  mojibake: ["글자가 깨짐", "the text is damaged"],
  no_rows: ["목록을 찾을 수 없음", "no list was found"],
  not_feed: ["피드가 아님", "it is not a feed"],
  not_found: ["페이지가 없음 (404)", "the page does not exist (404)"],
  not_json: ["JSON이 아님", "it is not JSON"],
  refused_address: [
    "요청이 허용되지 않는 주소(내부망 등)",
    "the address is not allowed, such as a private one",
  ],
  rejected: ["서버가 요청을 받아들이지 않음", "the server rejects the request"],
  same_titles: ["제목이 모두 같음", "all titles are the same"],
  script_rendered: ["스크립트로만 그려지는 페이지", "the list is drawn by a script"],
  too_big: ["응답이 너무 큼", "the answer is too big"],
  too_few_rows: [
    "목록이 예상보다 짧음 (잘린 페이지일 수 있음)",
    "the list is shorter than expected, perhaps cut",
  ],
  too_many_redirects: ["다른 주소로 끝없이 넘김", "too many redirects"],
  unreadable_text: ["글자를 읽을 수 없음", "the text cannot be read"],
  wrong_envelope: ["응답이 오류를 알림", "the answer reports an error"],
  // The gateway of the weather, and one airport's report.
  request: ["게이트웨이가 이런 요청을 모름", "the gateway does not know the request"],
  limit: ["응답이 허용보다 크거나 깊음", "the answer is larger or deeper than allowed"],
  root: ["전문이 없거나 여럿임", "no report in it, or several"],
  version: ["읽을 수 없는 IWXXM 판", "an unsupported version of IWXXM"],
  usage: ["시험이나 훈련용 전문", "a test or an exercise"],
  airport: ["다른 공항의 전문", "a report of another airport"],
  time: ["시각이 없거나 읽을 수 없음", "no time, or an unreadable one"],
  future: ["지금보다 뒤의 시각", "issued later than now"],
  past: ["일주일보다 오래된 전문", "older than a week"],
  status: ["있을 수 없는 전문 상태", "an impossible status"],
  empty: ["내용이 비어 있음", "it is empty"],
  value: ["있을 수 없는 값", "an impossible value"],
  period: ["유효 기간이 잘못됨", "an impossible period"],
  rows_missing: ["경보 목록의 일부가 오지 않음", "rows of the list are missing"],
  // Our own.
  corrupt_state: ["저장된 상태를 읽을 수 없음", "its stored state cannot be read"],
};
