namespace Gateway.Codec.Structures;

public enum DiagnosticsLevel
{
    Basic = 0,
    Advanced = 1,
    Info = 2,
    Log = 3,
    Debug = 4,
}
