namespace Gateway.Rest.Answers;

/// <summary>The answer is over before its end: a problem stands in its place, or its connection is ended. Nothing is
/// left to do; those who run requests and streams catch it.</summary>
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
