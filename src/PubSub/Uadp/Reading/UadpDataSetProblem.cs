namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Why a DataSetMessage that came in has no fields. Others of its NetworkMessage may have theirs.</summary>
public enum UadpDataSetProblem
{
    None,

    /// <summary>Its publisher says that it is not valid.</summary>
    NotValid,

    /// <summary>Its fields can be read by their metadata alone, and there is none.</summary>
    MetaDataMissing,

    /// <summary>Its fields can be read by their metadata alone, and that is of another version.</summary>
    MetaDataOutdated,

    /// <summary>A kind or an encoding that the standard reserves, or that this gateway does not read.</summary>
    Unknown,

    /// <summary>Bytes that are no such message: cut off, or with a count or an index that cannot be.</summary>
    Malformed,

    /// <summary>Above a limit of the reader.</summary>
    TooLarge,
}
