namespace Gateway.Codec.Structures;

[Structure(15622, 15702)]
public sealed partial class ReaderGroupMessageDataType;
