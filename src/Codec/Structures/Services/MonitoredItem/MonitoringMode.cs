namespace Gateway.Codec.Structures;

public enum MonitoringMode
{
    Disabled = 0,
    Sampling = 1,
    Reporting = 2,
}
