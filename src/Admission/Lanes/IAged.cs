namespace Gateway.Admission.Lanes;

/// <summary>The links of an <see cref="AgeList{T}"/>, for its use alone.</summary>
internal interface IAged<T>
{
    T? Older { get; set; }

    T? Younger { get; set; }
}
