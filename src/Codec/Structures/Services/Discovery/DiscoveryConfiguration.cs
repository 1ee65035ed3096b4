namespace Gateway.Codec.Structures;

[Structure(12890, 12900)]
public partial class DiscoveryConfiguration;
