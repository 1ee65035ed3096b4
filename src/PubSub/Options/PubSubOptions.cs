namespace Gateway.PubSub.Options;

/// <summary>The data sets that are published, and where to. Source: Part 14 §6.2.</summary>
public sealed record PubSubOptions
{
    /// <summary>Names this publisher on every broker. Empty: the last part of the ApplicationUri.</summary>
    public string PublisherId { get; init; } = "";

    /// <summary>The file that keeps a nonce from being used twice with one key, over restarts; on a disk that stays.
    /// </summary>
    public string NoncesPath { get; init; } = "pubsub/nonces.json";

    /// <summary>The file that keeps the versions of data sets over restarts; on a disk that stays.</summary>
    public string VersionsPath { get; init; } = "pubsub/versions.json";

    /// <summary>Servers that give keys, in the order in which they are asked.</summary>
    public IReadOnlyList<KeyServiceOptions> KeyServices { get; init; } = [];

    public IReadOnlyList<DataSetOptions> DataSets { get; init; } = [];

    public IReadOnlyList<ConnectionOptions> Connections { get; init; } = [];

    public bool IsOn => Connections.Count > 0;

    /// <summary>Keys whose change takes effect with a restart only.</summary>
    /// <param name="next">The options that would follow.</param>
    /// <param name="path">Of the section.</param>
    public IReadOnlyList<string> NeedRestart(PubSubOptions next, string path) =>
    [
        .. new[]
        {
            (nameof(PublisherId), PublisherId == next.PublisherId),
            (nameof(NoncesPath), NoncesPath == next.NoncesPath),
            (nameof(VersionsPath), VersionsPath == next.VersionsPath),
            (nameof(KeyServices), KeyServices.SequenceEqual(next.KeyServices)),
        }.Where(static one => !one.Item2).Select(one => $"{path}:{one.Item1}"),
    ];

    /// <summary>All errors, each with its full key.</summary>
    public IReadOnlyList<string> Validate(string path)
    {
        var errors = new OptionErrors(path);
        errors.Demand(TopicNames.IsLevel(PublisherId) || PublisherId.Length == 0, "PublisherId", TopicNames.Expected);
        errors.DemandUnique(DataSets.Select(static one => one.Name), "DataSets", "Name");
        errors.DemandUnique(Connections.Select(static one => one.Name), "Connections", "Name");
        for (var i = 0; i < KeyServices.Count; i++)
            KeyServices[i].Validate(errors.Below($"KeyServices:{i}"));
        for (var i = 0; i < DataSets.Count; i++)
            DataSets[i].Validate(errors.Below($"DataSets:{i}"));
        for (var i = 0; i < Connections.Count; i++)
            Connections[i].Validate(errors.Below($"Connections:{i}"), DataSets, PublisherId, KeyServices.Count > 0);
        DemandOwn(errors, static one => one.StorePath, "StorePath");
        DemandOwn(errors, static one => one.ClientId, "ClientId");
        DemandOwnReaders(errors);
        return errors.All;
    }

    /// <summary>Two readers of a publisher cannot share an object, nor two of a connection a writer.</summary>
    private void DemandOwnReaders(OptionErrors errors)
    {
        var names = new HashSet<(string, string)>();
        for (var i = 0; i < Connections.Count; i++)
        {
            var writers = new HashSet<(string, int)>();
            for (var j = 0; j < Connections[i].ReaderGroups.Count; j++)
            {
                var readers = Connections[i].ReaderGroups[j].DataSetReaders;
                for (var k = 0; k < readers.Count; k++)
                {
                    var (one, key) = (readers[k], $"Connections:{i}:ReaderGroups:{j}:DataSetReaders:{k}");
                    errors.Demand(
                        names.Add((one.PublisherId, one.Name)), $"{key}:Name", $"'{one.Name}' is there twice");
                    errors.Demand(
                        writers.Add((one.PublisherId, one.DataSetWriterId)), $"{key}:DataSetWriterId",
                        $"'{one.DataSetWriterId}' is there twice");
                }
            }
        }
    }

    /// <summary>Two connections cannot share it; an empty one is by the connection's name.</summary>
    private void DemandOwn(OptionErrors errors, Func<ConnectionOptions, string> of, string key)
    {
        var known = new HashSet<string>(StringComparer.Ordinal);
        for (var i = 0; i < Connections.Count; i++)
        {
            var own = of(Connections[i]);
            errors.Demand(
                own.Length == 0 || known.Add(own), $"Connections:{i}:{key}", $"'{own}' is another connection's");
        }
    }
}
