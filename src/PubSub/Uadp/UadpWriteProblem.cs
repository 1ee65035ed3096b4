namespace Gateway.PubSub.Uadp;

/// <summary>Why a frame was not taken.</summary>
internal enum UadpWriteProblem
{
    None,

    /// <summary>It belongs into the next NetworkMessage.</summary>
    MessageFull,

    /// <summary>Above the limit of a DataSetMessage, or of its ConfiguredSize.</summary>
    TooLarge,

    /// <summary>A value that its metadata does not allow in RawData: another type or rank, too long, too many, or a
    /// type that RawData has no form for.</summary>
    ValueNotRaw,

    /// <summary>RawData has key frames alone.</summary>
    KindNotRaw,

    /// <summary>Not all fields of the metadata, or an index above 65,535.</summary>
    FieldsNotOfMetaData,

    /// <summary>There is no key to send with now, or it has sealed all messages that it may.</summary>
    NoKey,
}
