namespace Gateway.PubSub.Readers;

/// <summary>Why a received message, or a field of it, is not used.</summary>
public enum ReaderProblem
{
    /// <summary>No message of the mapping, or above a limit.</summary>
    Unreadable,

    /// <summary>Of a writer that no reader takes, or of another publisher than its topic's.</summary>
    Stranger,

    /// <summary>No metadata has come yet.</summary>
    MetaDataMissing,

    /// <summary>Of another version than the metadata.</summary>
    MetaDataOutdated,

    /// <summary>Metadata that makes no nodes: too many fields or namespaces, names that are empty or there twice.
    /// </summary>
    MetaDataRefused,

    /// <summary>A field that the metadata does not have.</summary>
    UnknownField,
}
