namespace Gateway.Codec.Structures;

[Structure(20999, 21001)]
public sealed partial class SessionlessInvokeResponseType
{
    public string?[]? NamespaceUris { get; init; }

    public string?[]? ServerUris { get; init; }

    public uint ServiceId { get; init; }
}
