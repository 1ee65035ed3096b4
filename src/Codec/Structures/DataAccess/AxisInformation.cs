using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(12079, 12089)]
public sealed partial class AxisInformation
{
    public EUInformation EngineeringUnits { get; init; } = new();

    public Range EURange { get; init; } = new();

    public LocalizedText Title { get; init; }

    public AxisScaleEnumeration AxisScaleType { get; init; }

    public double[]? AxisSteps { get; init; }
}
