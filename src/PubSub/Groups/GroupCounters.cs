namespace Gateway.PubSub.Groups;

/// <summary>Written by the group under its lock; read by any thread, each number for itself.</summary>
internal sealed class GroupCounters
{
    private long _messages;
    private long _bytes;
    private long _values;
    private long _lost;
    private long _tooLarge;
    private long _faults;
    private long _errors;
    private long _returns;

    /// <summary>NetworkMessages that the output took.</summary>
    public long Messages
    {
        get => Volatile.Read(ref _messages);
        set => Volatile.Write(ref _messages, value);
    }

    public long Bytes
    {
        get => Volatile.Read(ref _bytes);
        set => Volatile.Write(ref _bytes, value);
    }

    /// <summary>Changes of fields.</summary>
    public long Values
    {
        get => Volatile.Read(ref _values);
        set => Volatile.Write(ref _values, value);
    }

    /// <summary>NetworkMessages that the output refused.</summary>
    public long Lost
    {
        get => Volatile.Read(ref _lost);
        set => Volatile.Write(ref _lost, value);
    }

    /// <summary>Fields that fit no message alone.</summary>
    public long TooLarge
    {
        get => Volatile.Read(ref _tooLarge);
        set => Volatile.Write(ref _tooLarge, value);
    }

    /// <summary>Times that the group began to publish nothing.</summary>
    public long Errors
    {
        get => Volatile.Read(ref _errors);
        set => Volatile.Write(ref _errors, value);
    }

    /// <summary>Times that it could again.</summary>
    public long Returns
    {
        get => Volatile.Read(ref _returns);
        set => Volatile.Write(ref _returns, value);
    }

    /// <summary>Intervals that a fault of ours ended.</summary>
    public long Faults
    {
        get => Volatile.Read(ref _faults);
        set => Volatile.Write(ref _faults, value);
    }
}
