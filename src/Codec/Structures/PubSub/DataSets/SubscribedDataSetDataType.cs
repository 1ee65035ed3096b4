namespace Gateway.Codec.Structures;

[Structure(15630, 15707)]
public partial class SubscribedDataSetDataType;
