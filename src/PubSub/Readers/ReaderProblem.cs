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

    /// <summary>Metadata whose nodes are more than all readers may still make.</summary>
    NodesFull,

    /// <summary>A field that the metadata does not have.</summary>
    UnknownField,

    /// <summary>Its publisher says that the message is not valid.</summary>
    NotValid,

    /// <summary>Above a limit.</summary>
    TooLarge,

    /// <summary>Less security than configured.</summary>
    SecurityModeTooLow,

    /// <summary>No key has its token id.</summary>
    UnknownKey,

    /// <summary>Its signature is not that of its key.</summary>
    BadSignature,

    /// <summary>Sealed, and its number was there before or is too old.</summary>
    Replayed,

    /// <summary>A chunk that overlaps another one or contradicts it.</summary>
    ChunkContradicts,

    /// <summary>A payload whose chunks had to make room for a newer one.</summary>
    ChunksFull,
}
