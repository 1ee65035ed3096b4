namespace Gateway.Codec.Structures;

[Structure(677, 679)]
public partial class HistoryUpdateDetails;
