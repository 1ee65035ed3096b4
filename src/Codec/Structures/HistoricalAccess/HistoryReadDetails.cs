namespace Gateway.Codec.Structures;

[Structure(641, 643)]
public partial class HistoryReadDetails;
