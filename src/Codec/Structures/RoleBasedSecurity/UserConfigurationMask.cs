namespace Gateway.Codec.Structures;

[Flags]
public enum UserConfigurationMask : uint
{
    None = 0,
    NoDelete = 1,
    Disabled = 2,
    NoChangeByUser = 4,
    MustChangePassword = 8,
}
