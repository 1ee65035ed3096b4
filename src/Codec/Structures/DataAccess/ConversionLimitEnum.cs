namespace Gateway.Codec.Structures;

public enum ConversionLimitEnum
{
    NoConversion = 0,
    Limited = 1,
    Unlimited = 2,
}
