namespace Gateway.Store;

/// <summary>Why a log cannot be opened.</summary>
public enum StoreFault
{
    /// <summary>Another process, or another log of this one, has the directory open.</summary>
    InUse,

    /// <summary>The directory was written by another version of the format.</summary>
    WrongVersion,

    /// <summary>The directory cannot be made or read.</summary>
    Unavailable,
}
