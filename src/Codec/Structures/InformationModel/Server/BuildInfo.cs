namespace Gateway.Codec.Structures;

[Structure(338, 340)]
public sealed partial class BuildInfo
{
    public string? ProductUri { get; init; }

    public string? ManufacturerName { get; init; }

    public string? ProductName { get; init; }

    public string? SoftwareVersion { get; init; }

    public string? BuildNumber { get; init; }

    public DateTime BuildDate { get; init; }
}
