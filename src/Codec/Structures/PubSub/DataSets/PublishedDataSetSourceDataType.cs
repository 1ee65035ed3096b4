namespace Gateway.Codec.Structures;

[Structure(15580, 15678)]
public partial class PublishedDataSetSourceDataType;
