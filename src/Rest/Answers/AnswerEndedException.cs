namespace Gateway.Rest.Answers;

/// <summary>The response has ended early: a problem document replaces it, or its connection was closed. The runners of
/// requests and streams catch it and do nothing more.</summary>
internal sealed class AnswerEndedException : Exception
{
    public AnswerEndedException()
    {
    }

    public AnswerEndedException(string message)
        : base(message)
    {
    }

    public AnswerEndedException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
