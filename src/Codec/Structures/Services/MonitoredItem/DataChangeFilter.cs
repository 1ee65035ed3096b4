namespace Gateway.Codec.Structures;

[Structure(722, 724)]
public sealed partial class DataChangeFilter : MonitoringFilter
{
    public DataChangeTrigger Trigger { get; init; }

    public uint DeadbandType { get; init; }

    public double DeadbandValue { get; init; }
}
