using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15556, 16543)]
public sealed partial class ApplicationIdentityDataType : BaseConfigurationRecordDataType
{
    public string? ApplicationUri { get; init; }

    public LocalizedText[]? ApplicationNames { get; init; }

    public ApplicationDescription[]? AdditionalServers { get; init; }
}
