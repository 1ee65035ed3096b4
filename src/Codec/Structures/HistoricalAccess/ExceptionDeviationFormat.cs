namespace Gateway.Codec.Structures;

public enum ExceptionDeviationFormat
{
    AbsoluteValue = 0,
    PercentOfValue = 1,
    PercentOfRange = 2,
    PercentOfEURange = 3,
    Unknown = 4,
}
