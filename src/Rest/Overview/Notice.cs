namespace Gateway.Rest.Overview;

/// <summary>Something about the gateway itself that an operator should know while it lasts. Texts of peers in it are
/// escaped and cut (R24). Immutable.</summary>
/// <param name="Kind">source, drift, pubsub, store, disk, certificate, trust, storm, late, overload, limit,
/// memory.</param>
/// <param name="Subject">The thing that it is about; with the kind it names the notice.</param>
/// <param name="IsFault">Something does not work; otherwise it soon may not.</param>
/// <param name="Words">The fault.</param>
/// <param name="Remedy">Advice; empty where nothing is known.</param>
public sealed record Notice(string Kind, string Subject, bool IsFault, string Words, string Remedy)
{
    public string Id => $"{Kind}:{Subject}";

    /// <summary>Null: since the gateway saw it first.</summary>
    public DateTime? Since { get; init; }

    /// <summary>Of another's certificate, in UTC; null: it is about none.</summary>
    public DateTime? CertificateEnd { get; init; }

    /// <summary>In place of the words in events and alarms, to which every client may subscribe: no file, no text of an
    /// error, no name of another party (R17, R36). The words themselves where they have none.</summary>
    public string PublicWords { get => field ?? Words; init; }
}
