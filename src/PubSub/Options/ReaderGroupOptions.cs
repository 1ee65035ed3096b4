using Gateway.Codec.Structures;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Options;

/// <summary>A ReaderGroup. Source: Part 14 §6.2.8.</summary>
public sealed record ReaderGroupOptions : ISealedGroup
{
    public string Name { get; init; } = "";

    /// <summary><c>json</c>: every layout and encoding of JSON; <c>uadp</c>.</summary>
    public string Encoding { get; init; } = "json";

    /// <summary><c>None</c>, <c>Sign</c>, <c>SignAndEncrypt</c>; of UADP only. A message with less is refused.
    /// </summary>
    public string SecurityMode { get; init; } = "None";

    /// <summary>A file of keys (<see cref="SecurityKeyFile"/>), read again when it changes.</summary>
    public string KeysPath { get; init; } = "";

    /// <summary>In place of <see cref="KeysPath"/>: the keys of this group come from PubSub:KeyServices.</summary>
    public string SecurityGroupId { get; init; } = "";

    public IReadOnlyList<DataSetReaderOptions> DataSetReaders { get; init; } = [];

    public bool IsUadp => Encoding == "uadp";

    /// <summary>Without errors: <see cref="SecurityMode"/>.</summary>
    public MessageSecurityMode Security => SecurityModes.Of(SecurityMode);

    internal void Validate(OptionErrors errors, bool isMqtt, bool hasKeyServices)
    {
        errors.Demand(TopicNames.IsLevel(Name), nameof(Name), TopicNames.Expected);
        errors.Demand(Encoding is "json" or "uadp", nameof(Encoding), $"'{Encoding}' is neither json nor uadp");
        errors.Demand(isMqtt || IsUadp, nameof(Encoding), "datagrams carry uadp only");
        SecurityModes.Validate(errors, this, SecurityMode, IsUadp, hasKeyServices);
        errors.Demand(DataSetReaders.Count > 0, "DataSetReaders", "there is none");
        for (var i = 0; i < DataSetReaders.Count; i++)
            DataSetReaders[i].Validate(errors.Below($"DataSetReaders:{i}"));
    }
}
