namespace Gateway.PubSub.Readers;

/// <summary>Why a received message, or a field of it, is not used.</summary>
public enum ReaderProblem
{
    /// <summary>On the publisher's topics: no message of the mapping, or above a limit.</summary>
    Unreadable,

    /// <summary>On the publisher's topics: it names another publisher.</summary>
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
