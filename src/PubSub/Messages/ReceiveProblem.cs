namespace Gateway.PubSub.Messages;

/// <summary>Why a received NetworkMessage is not used.</summary>
public enum ReceiveProblem
{
    None,

    /// <summary>More bytes than the limit.</summary>
    TooLong,

    /// <summary>More levels than the limit.</summary>
    TooDeep,

    /// <summary>More DataSetMessages than the limit.</summary>
    TooManyDataSets,

    /// <summary>More fields in a DataSetMessage than the limit.</summary>
    TooManyFields,

    /// <summary>Not of the mapping's form, cut off, or no valid text.</summary>
    Malformed,

    /// <summary>A member is missing, is there twice, or has another type than the standard says.</summary>
    WrongMember,
}
