namespace Gateway.Codec.Structures;

[Structure(370, 372)]
public sealed partial class DataTypeAttributes : NodeAttributes
{
    public bool IsAbstract { get; init; }
}
