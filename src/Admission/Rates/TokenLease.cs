using System.Threading.RateLimiting;

namespace Gateway.Admission.Rates;

/// <summary>The answer of a <see cref="TokenBucket"/> to a caller of the framework's interface.</summary>
internal sealed class TokenLease(bool isAcquired, TimeSpan retryAfter) : RateLimitLease
{
    public override bool IsAcquired => isAcquired;

    public override IEnumerable<string> MetadataNames => isAcquired ? [] : [MetadataName.RetryAfter.Name];

    public override bool TryGetMetadata(string metadataName, out object? metadata)
    {
        metadata = !isAcquired && metadataName == MetadataName.RetryAfter.Name ? retryAfter : null;
        return metadata is not null;
    }
}
