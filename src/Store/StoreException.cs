namespace Gateway.Store;

/// <summary>A log cannot be opened. Only <see cref="StoreLog.Open"/> throws it.</summary>
public sealed class StoreException : Exception
{
    internal StoreException(StoreFault fault, string message, Exception? inner = null)
        : base(message, inner) => Fault = fault;

    public StoreFault Fault { get; }
}
