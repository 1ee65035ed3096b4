namespace Gateway.Transport.Conversation;

/// <summary>A PipeWriter that can give the kernel what it takes in the middle of a message.</summary>
internal interface IEagerWriter
{
    /// <summary>Never waits; bytes that are not taken, or not worth a system call yet, leave with the flush. Not while
    /// a flush is under way.</summary>
    void SendSome();

    /// <summary>The arrays in which bytes wait for the kernel.</summary>
    long HeldBytes { get; }
}
