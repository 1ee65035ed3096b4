namespace Gateway.Codec.Structures;

[Structure(719, 721)]
public partial class MonitoringFilter;
