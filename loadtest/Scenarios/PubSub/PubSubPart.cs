using System.Text.Json;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>The configuration of one part: so many writers of so many fields each, all of one group and at one
/// broker.</summary>
internal sealed record PubSubPart
{
    public const string PublisherId = "loadtest";

    public required string Encoding { get; init; }

    public required int Writers { get; init; }

    public required int Fields { get; init; }

    public required double IntervalMs { get; init; }

    public required int KeyFrameCount { get; init; }

    public int Tags => Writers * Fields;

    public bool IsJson => Encoding != "uadp";

    public string Filter => $"opcua/{(IsJson ? "json" : "uadp")}/data/{PublisherId}/#";

    public IMessageDecoder Decoder() => IsJson ? new JsonDecoder() : new UadpDecoder(Fields);

    public PublishedCheck Check() => new(Writers, Tags, IsJson ? uint.MaxValue : ushort.MaxValue);

    /// <summary>The gateway's appsettings.json.</summary>
    /// <param name="brokerPort">On the loopback address.</param>
    /// <param name="nodes">Node ids of all tags, in order.</param>
    public string Settings(int brokerPort, IReadOnlyList<string> nodes)
    {
        var writers = Enumerable.Range(0, Writers).ToArray();
        return JsonSerializer.Serialize(new
        {
            PubSub = new
            {
                PublisherId,
                DataSets = writers.Select(writer => new
                {
                    Name = $"d{writer}",
                    KeyFrameCount,
                    Nodes = nodes.Skip(writer * Fields).Take(Fields),
                }),
                Connections = new[] { Connection(brokerPort, writers) },
            },
        });
    }

    private object Connection(int brokerPort, int[] writers) => new
    {
        Name = "broker",
        Address = $"mqtt://127.0.0.1:{brokerPort}",
        WriterGroups = new[]
        {
            new
            {
                Name = "group",
                WriterGroupId = 1,
                Encoding,
                PublishingIntervalMs = IntervalMs,
                DataSetWriters = writers.Select(
                    writer => new { Name = $"w{writer}", DataSetWriterId = writer + 1, DataSet = $"d{writer}" }),
            },
        },
    };
}
