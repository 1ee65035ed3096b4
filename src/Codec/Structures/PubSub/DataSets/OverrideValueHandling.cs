namespace Gateway.Codec.Structures;

public enum OverrideValueHandling
{
    Disabled = 0,
    LastUsableValue = 1,
    OverrideValue = 2,
}
