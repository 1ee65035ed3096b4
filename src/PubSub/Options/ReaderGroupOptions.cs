namespace Gateway.PubSub.Options;

/// <summary>A ReaderGroup. Source: Part 14 §6.2.8.</summary>
public sealed record ReaderGroupOptions
{
    public string Name { get; init; } = "";

    /// <summary><c>json</c>: every layout and encoding of JSON.</summary>
    public string Encoding { get; init; } = "json";

    public IReadOnlyList<DataSetReaderOptions> DataSetReaders { get; init; } = [];

    internal void Validate(OptionErrors errors, bool isMqtt)
    {
        errors.Demand(TopicNames.IsLevel(Name), nameof(Name), TopicNames.Expected);
        errors.Demand(Encoding == "json", nameof(Encoding), $"'{Encoding}': readers take json only in this version");
        errors.Demand(isMqtt, nameof(Encoding), "datagrams carry uadp only, which readers do not take yet");
        errors.Demand(DataSetReaders.Count > 0, "DataSetReaders", "there is none");
        for (var i = 0; i < DataSetReaders.Count; i++)
            DataSetReaders[i].Validate(errors.Below($"DataSetReaders:{i}"));
    }
}
