namespace Gateway.Codec.Structures;

[Structure(731, 733)]
public partial class MonitoringFilterResult;
