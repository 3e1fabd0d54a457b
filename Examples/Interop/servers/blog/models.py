from django.db import models


class Person(models.Model):
    name = models.CharField(max_length=20)

    class Meta:
        ordering = ["id"]

    class JSONAPIMeta:
        resource_name = "people"


class Tag(models.Model):
    label = models.CharField(max_length=20, unique=True)

    class Meta:
        ordering = ["id"]

    class JSONAPIMeta:
        resource_name = "tags"


class Article(models.Model):
    title = models.CharField(max_length=20)
    subtitle = models.CharField(max_length=40, null=True, blank=True)
    word_count = models.PositiveIntegerField(default=0)
    published_at = models.DateTimeField(null=True, blank=True)
    author = models.ForeignKey(Person, null=True, blank=True, related_name="articles", on_delete=models.CASCADE)
    tags = models.ManyToManyField(Tag, blank=True, related_name="articles")

    class Meta:
        ordering = ["id"]

    class JSONAPIMeta:
        resource_name = "articles"
