"""The fourteen departments of 누리솔대학교, an invented university."""

from typing import Final

from uring_local.sites.campus.model import Department

DEPARTMENTS: Final = (
    Department("nurisol_cse", "컴퓨터공학과", "cse", "k2web", 15, 5, 5_700, paged=True),
    Department(
        "nurisol_ee", "전자공학과", "ee", "k2web", 18, 4, 81_200, variant="plain", paged=True
    ),
    Department("nurisol_math", "수학과", "math", "k2web", 15, 3, 910, variant="blind"),
    Department(
        "nurisol_student", "학생지원팀", "student", "k2web", 20, 14, 12_040, variant="plain"
    ),
    Department(
        "nurisol_biz",
        "경영학과",
        "biz",
        "gnuboard",
        15,
        4,
        1_170,
        ("학부", "대학원", "공통"),
        paged=True,
    ),
    Department(
        "nurisol_law", "법학과", "law", "gnuboard", 16, 3, 402, ("학사", "장학"), variant="meta"
    ),
    Department(
        "nurisol_art", "미술학과", "art", "gnuboard", 15, 2, 77, ("전시", "학사"), variant="silent"
    ),
    Department("nurisol_edu", "교육학과", "edu", "egov", 15, 2, 79_900, variant="31", paged=True),
    Department("nurisol_lib", "도서관", "lib", "egov", 15, 3, 30_450, variant="25"),
    Department("nurisol_grad", "대학원", "grad", "egov", 20, 2, 66_310, variant="1609"),
    Department(
        "nurisol_med",
        "의학과",
        "med",
        "onclick",
        15,
        3,
        67_900,
        ("일반", "임상", "채용"),
        paged=True,
    ),
    Department(
        "nurisol_nurse",
        "간호학과",
        "nurse",
        "onclick",
        16,
        2,
        0x6144_A000,
        ("일반", "실습"),
        hex_ids=True,
        variant="last-modified",
    ),
    Department(
        "nurisol_arch",
        "건축학과",
        "arch",
        "modelist",
        17,
        5,
        21_600,
        ("학사", "행사", "취업"),
        paged=True,
    ),
    Department(
        "nurisol_dorm", "생활관", "dorm", "modelist", 15, 6, 155_200, ("입사", "시설"), variant="yy"
    ),
)
