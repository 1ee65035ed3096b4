using Gateway.Codec.Structures;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Options;

/// <summary>A WriterGroup. Source: Part 14 §6.2.6.</summary>
public sealed record WriterGroupOptions : ISealedGroup
{
    private const double MaxIntervalMs = 3_600_000;
    private const double UsualKeepAliveMs = 10_000;

    private readonly double? _keepAliveMs;

    public string Name { get; init; } = "";

    /// <summary>Unique within the PublisherId.</summary>
    public int WriterGroupId { get; init; }

    /// <summary><c>json</c> (Verbose), <c>json-compact</c>, <c>json-raw</c>, <c>json-reversible</c>,
    /// <c>json-nonreversible</c>, <c>uadp</c>; <c>plain</c>: a topic and a message for each field.</summary>
    public string Encoding { get; init; } = "json";

    /// <summary>Of <c>plain</c>: the text of a message (<see cref="PlainTemplate"/>).</summary>
    public string Template { get; init; } = PlainTemplate.Default;

    /// <summary>Of UADP: <c>periodic-fixed</c> or <c>dynamic</c>, layouts of the standard; empty: as dynamic, with
    /// both versions and any PublisherId. Source: Part 14 Annex A.2.</summary>
    public string HeaderLayout { get; init; } = "";

    /// <summary><c>DataValue</c>, <c>Variant</c> or <c>RawData</c>; empty: RawData where Encoding or HeaderLayout
    /// says so, else DataValue.</summary>
    public string FieldEncoding { get; init; } = "";

    /// <summary>Parts of a field as a DataValue, with commas between them; empty: StatusCode and SourceTimestamp.
    /// </summary>
    public string FieldContent { get; init; } = "";

    /// <summary>Parts of a NetworkMessage, with commas between them; <c>None</c>; empty: the usual ones.</summary>
    public string NetworkMessageContent { get; init; } = "";

    /// <summary>Parts of a DataSetMessage, alike.</summary>
    public string DataSetMessageContent { get; init; } = "";

    public double PublishingIntervalMs { get; init; } = 1000;

    /// <summary>A message comes at least so often, without fields if nothing has changed.</summary>
    public double KeepAliveMs
    {
        get => _keepAliveMs ?? Math.Max(UsualKeepAliveMs, PublishingIntervalMs);
        init => _keepAliveMs = value;
    }

    /// <summary>One NetworkMessage carries the messages of all the group's writers, on the group's topic.</summary>
    public bool Batched { get; init; }

    /// <summary><c>None</c>, <c>Sign</c>, <c>SignAndEncrypt</c>; of UADP only.</summary>
    public string SecurityMode { get; init; } = "None";

    /// <summary>A file of keys (<see cref="SecurityKeyFile"/>), read again when it changes.</summary>
    public string KeysPath { get; init; } = "";

    /// <summary>In place of <see cref="KeysPath"/>: the keys of this group come from PubSub:KeyServices.</summary>
    public string SecurityGroupId { get; init; } = "";

    /// <summary>Without errors: <see cref="SecurityMode"/>.</summary>
    public MessageSecurityMode Security => SecurityModes.Of(SecurityMode);

    public IReadOnlyList<DataSetWriterOptions> DataSetWriters { get; init; } = [];

    public bool IsPlain => Encoding == "plain";

    public bool IsUadp => Encoding == "uadp";

    /// <summary>Of the standard.</summary>
    public bool IsJson => !IsPlain && !IsUadp;

    /// <summary>Each message has a key frame of each writer, at its place.</summary>
    public bool IsPeriodic => HeaderLayout == "periodic-fixed";

    /// <summary>An event's fields are Variants. Source: Part 14 §7.2.4.5.7.</summary>
    private bool TakesEvents =>
        !IsPlain && !IsPeriodic && MessageMasks.Fields(this) != DataSetFieldContentMask.RawData;

    /// <summary>A message that names its kind nowhere could not be told from data.</summary>
    internal bool HasKeepAlives => !IsPlain && !IsPeriodic && (IsUadp ||
        (MessageMasks.JsonNetworkMessage(this) & JsonNetworkMessageContentMask.DataSetMessageHeader) != 0);

    internal void Validate(
        OptionErrors errors, IReadOnlyList<DataSetOptions> dataSets, bool isMqtt,
        bool hasKeyServices, string publisherIdType)
    {
        ContentRules.Validate(errors, this, publisherIdType);
        errors.Demand(TopicNames.IsLevel(Name), nameof(Name), TopicNames.Expected);
        errors.Demand(
            WriterGroupId is >= 1 and <= ushort.MaxValue, nameof(WriterGroupId),
            $"{WriterGroupId} is not between 1 and {ushort.MaxValue}");
        errors.Demand(
            Encoding is "json" or "json-compact" or "json-raw" or "json-reversible" or "json-nonreversible" or "uadp" or
                "plain",
            nameof(Encoding),
            $"'{Encoding}' is none of json, json-compact, json-raw, json-reversible, json-nonreversible, uadp, plain");
        errors.Demand(PlainTemplate.Parse(Template, out var wrong) is not null, nameof(Template), wrong ?? "");
        errors.Demand(IsPlain || Template == PlainTemplate.Default, nameof(Template), "is of plain only");
        errors.Demand(isMqtt || IsUadp, nameof(Encoding), "datagrams carry uadp only");
        errors.Demand(
            PublishingIntervalMs is >= 1 and <= MaxIntervalMs, nameof(PublishingIntervalMs),
            $"{PublishingIntervalMs} is not between 1 and {MaxIntervalMs} ms");
        errors.Demand(
            KeepAliveMs >= PublishingIntervalMs && KeepAliveMs <= MaxIntervalMs, nameof(KeepAliveMs),
            $"{KeepAliveMs} is not between PublishingIntervalMs and {MaxIntervalMs} ms");
        SecurityModes.Validate(errors, this, SecurityMode, IsUadp, hasKeyServices);
        errors.Demand(DataSetWriters.Count > 0, "DataSetWriters", "there is none");
        errors.DemandUnique(DataSetWriters.Select(static one => one.Name), "DataSetWriters", "Name");
        for (var i = 0; i < DataSetWriters.Count; i++)
            DataSetWriters[i].Validate(errors.Below($"DataSetWriters:{i}"), dataSets, TakesEvents);
    }

    /// <param name="errors">Of this group.</param>
    /// <param name="known">Ids of the writers of the groups before.</param>
    internal void ValidateWriterIds(OptionErrors errors, HashSet<int> known)
    {
        for (var i = 0; i < DataSetWriters.Count; i++)
        {
            var id = DataSetWriters[i].DataSetWriterId;
            errors.Demand(known.Add(id), $"DataSetWriters:{i}:DataSetWriterId", $"'{id}' is there twice");
        }
    }
}
