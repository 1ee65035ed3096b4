namespace Gateway.Codec.Structures;

[Structure(373, 375)]
public sealed partial class ViewAttributes : NodeAttributes
{
    public bool ContainsNoLoops { get; init; }

    public byte EventNotifier { get; init; }
}
