namespace Gateway.Codec.Structures;

[Structure(361, 363)]
public sealed partial class ObjectTypeAttributes : NodeAttributes
{
    public bool IsAbstract { get; init; }
}
