namespace Gateway.Codec.Structures;

[Structure(15901, 15903)]
public sealed partial class SessionlessInvokeRequestType
{
    public uint UrisVersion { get; init; }

    public string?[]? NamespaceUris { get; init; }

    public string?[]? ServerUris { get; init; }

    public string?[]? LocaleIds { get; init; }

    public uint ServiceId { get; init; }
}
