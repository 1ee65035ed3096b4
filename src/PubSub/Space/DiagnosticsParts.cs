namespace Gateway.PubSub.Space;

/// <summary>The counters and live values that the standard's PubSubDiagnosticsTypes have, and ours beside them.
/// Source: Part 14 §9.1.11.</summary>
/// <param name="Type">Of the object.</param>
/// <param name="Counters">Those of the kind, behind those that all have.</param>
/// <param name="LiveValues">Mandatory ones: how many parts there are, and how many of them work.</param>
internal sealed record DiagnosticsParts(
    uint Type, IReadOnlyList<DiagnosticsCounter> Counters, IReadOnlyList<string> LiveValues)
{
    public const string StateError = nameof(StateError);
    public const string StateOperationalByParent = nameof(StateOperationalByParent);
    public const string StateOperationalFromError = nameof(StateOperationalFromError);

    private const uint WriterGroupType = 19834;
    private const uint ReaderGroupType = 19903;
    private const uint WriterType = 19968;
    private const uint ReaderType = 20027;

    /// <summary>Nothing is enabled, disabled or paused by a method.</summary>
    private static readonly DiagnosticsCounter[] All =
    [
        new(StateError, IsError: true), new("StateOperationalByMethod"), new(StateOperationalByParent),
        new(StateOperationalFromError), new("StatePausedByParent"), new("StateDisabledByMethod"),
    ];

    public static DiagnosticsParts WriterGroup { get; } = new(
        WriterGroupType,
        [
            .. All, new("SentNetworkMessages"), new("FailedTransmissions", IsError: true),
            new("EncryptionErrors", IsError: true), new("SentValues", IsOwn: true),
            new("SkippedValues", IsError: true, IsOwn: true),
        ],
        ["ConfiguredDataSetWriters", "OperationalDataSetWriters"]);

    public static DiagnosticsParts Writer { get; } = new(
        WriterType,
        [.. All, new("FailedDataSetMessages", IsError: true), new("SentDataSetMessages", IsOwn: true)], []);

    public static DiagnosticsParts ReaderGroup { get; } = new(
        ReaderGroupType, [.. All, new("ReceivedNetworkMessages")],
        ["ConfiguredDataSetReaders", "OperationalDataSetReaders"]);

    public static DiagnosticsParts Reader { get; } = new(
        ReaderType,
        [
            .. All, new("FailedDataSetMessages", IsError: true), new("ReceivedDataSetMessages", IsOwn: true),
            new("MissingDataSetMessages", IsError: true, IsOwn: true),
        ],
        []);
}
