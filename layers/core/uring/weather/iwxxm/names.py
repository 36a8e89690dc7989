"""Names of IWXXM as its writers spell them: with the prefixes of its own schemas.

A document with other prefixes is read as well, and takes a little longer.
"""

from types import MappingProxyType
from typing import Final

from uring.weather.iwxxm.tree import KnownNames

_ELEMENTS: Final = {
    "iwxxm": """
        AerodromeAirTemperatureForecast AerodromeCloud AerodromeCloudForecast
        AerodromeHorizontalVisibility AerodromeObservedClouds AerodromeRunwayState
        AerodromeRunwayVisualRange AerodromeSeaCondition AerodromeSeaState AerodromeSurfaceWind
        AerodromeSurfaceWindForecast AerodromeSurfaceWindTrendForecast AerodromeWindShear
        CloudLayer METAR MeteorologicalAerodromeForecast MeteorologicalAerodromeForecastRecord
        MeteorologicalAerodromeObservation MeteorologicalAerodromeObservationRecord
        MeteorologicalAerodromeTrendForecast MeteorologicalAerodromeTrendForecastRecord SPECI TAF
        aerodrome airTemperature amount base baseForecast cancelledReportValidPeriod changeForecast
        cloud cloudType contamination depositType depthOfDeposit dewpointTemperature
        estimatedSurfaceFrictionOrBrakingAction extension extremeClockwiseWindDirection
        extremeCounterClockwiseWindDirection forecastWeather issueTime layer maximumAirTemperature
        maximumAirTemperatureTime meanRVR meanRVROperator meanWindDirection meanWindSpeed
        meanWindSpeedOperator minimumAirTemperature minimumAirTemperatureTime minimumVisibility
        minimumVisibilityDirection observation observationTime phenomenonTime presentWeather
        prevailingVisibility prevailingVisibilityOperator previousReportAerodrome
        previousReportValidPeriod qnh recentWeather runway runwayState rvr seaCondition seaState
        seaSurfaceTemperature significantWaveHeight surfaceWind temperature timeIndicator
        trendForecast validPeriod validTime verticalVisibility visibility weather windGustSpeed
        windGustSpeedOperator windShear
    """,
    "gml": """
        Point TimeInstant TimePeriod beginPosition description endPosition pos timePosition
        validTime
    """,
    "aixm": """
        ARP AirportHeliport AirportHeliportTimeSlice ElevatedPoint RunwayDirection
        RunwayDirectionTimeSlice designator elevation interpretation locationIndicatorICAO name
        timeSlice verticalDatum
    """,
    "collect": "MeteorologicalBulletin bulletinIdentifier meteorologicalInformation",
    "om": """
        OM_Observation featureOfInterest observedProperty phenomenonTime procedure result
        resultTime type validTime
    """,
    "sams": "SF_SpatialSamplingFeature shape",
    "sf": "sampledFeature type",
    "metce": "Process",
}
_ATTRIBUTES: Final = {"gml": "id", "xlink": "href title type", "xsi": "nil schemaLocation type"}

IWXXM: Final = KnownNames(
    MappingProxyType(
        {
            f"{prefix}:{name}": name
            for names in (_ELEMENTS, _ATTRIBUTES)
            for prefix, spelled in names.items()
            for name in spelled.split()
        }
    ),
    frozenset(name for spelled in _ATTRIBUTES.values() for name in spelled.split()),
)
"""The names that reports are made of."""
