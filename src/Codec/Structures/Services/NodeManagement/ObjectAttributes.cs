namespace Gateway.Codec.Structures;

[Structure(352, 354)]
public sealed partial class ObjectAttributes : NodeAttributes
{
    public byte EventNotifier { get; init; }
}
